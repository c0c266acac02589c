import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { rolloutGroupQuery } from '@/lib/contract/rollout-group'
import { exportRollouts } from '@/lib/service/exports/export-rollouts'
import { readRollout } from '@/lib/service/read-rollout'
import { readRolloutGroups } from '@/lib/service/read-rollout-groups'
import { reportRollouts } from '@/lib/service/report-rollouts'
import { createTestDatabase, isAvailable, stopPostgresql, type TestDatabase } from '@/tests/support/database'
import { ask, openTestRuntime, START, startToyRun, train } from '@/tests/support/toy-run'

for (const provider of ['sqlite', 'postgresql'] as const) {
  describe.skipIf(!isAvailable(provider))(`pages of rollouts on ${provider}`, () => {
    let database: TestDatabase
    let runtime: Awaited<ReturnType<typeof openTestRuntime>>
    beforeEach(async () => {
      database = await createTestDatabase(provider)
      runtime = await openTestRuntime(database.url)
    })
    afterEach(async () => {
      await runtime.end()
      await database.drop()
    })
    if (provider === 'postgresql') afterAll(stopPostgresql)

    // an address has only text
    const list = (run: string, query: object = {}) => {
      const written = Object.entries(query).map(([name, value]) => [name, String(value)])
      return readRolloutGroups(runtime, run, rolloutGroupQuery.parse(Object.fromEntries(written)))
    }

    /** Two batches of 8 groups of 4; the second one's first pick has a rollout of each kind. */
    async function oddRun() {
      const run = await startToyRun(runtime)
      await train(runtime, run, 0, 1)
      const batch = await ask(runtime, run, 1)
      const [first, second] = batch.picks
      if (first === undefined || second === undefined) throw new Error('no picks')
      const base = { lease: first.lease, policyVersion: 1 }
      const call = { function: { name: 'refund_bag', arguments: '{"card": "card_9027"}' } }
      await reportRollouts(
        runtime,
        run,
        [
          { ...base, id: 'solved one', reward: 1, tools: ['refund_bag'] },
          { ...base, id: 'odd/../1', reward: 0, messages: [{ role: 'assistant', content: null, tool_calls: [call] }] },
          { ...base, id: 'lost', reward: null, status: 'infra_error', error: 'timeout 100% of_it', worker: 'w6' },
          { lease: second.lease, policyVersion: 1, id: 'other', reward: 1, error: 'timeout 100% of_it' },
        ],
        START,
      )
      return { run, first, second, batch }
    }

    test('groups come newest first with squares, what is out, and pages without gap or repeat', async () => {
      const { run, batch } = await oddRun()
      const all = await list(run, { limit: 200 })
      expect(all.items).toHaveLength(16)
      expect(all).toMatchObject({ next: null, total: 36, of: 36, newer: 0 })
      expect(all.items.map(({ number }) => number)).toEqual(Array.from({ length: 16 }, (_, i) => 16 - i))
      const partial = all.items.find(({ rollouts }) => rollouts.length === 3)
      expect(partial?.result).toMatchObject({ state: 'partial', size: 4, returned: 3, group: partial?.id })
      expect(partial?.result.squares.map(({ state }) => state)).toEqual(['trusted', 'trusted', 'untrusted', 'out'])
      expect(partial?.rollouts.map(({ position, reward, fill }) => [position, reward, fill])).toEqual([
        [1, 1, 1],
        [2, 0, 0],
        [3, null, null],
      ])
      expect(batch.picks).toHaveLength(8)
      const paged: number[] = []
      for (let cursor: string | null = null; ; ) {
        const page = await list(run, { limit: 3, ...(cursor === null ? {} : { cursor }) })
        paged.push(...page.items.map(({ number }) => number))
        if (page.next === null) break
        cursor = page.next
        expect(page.total).toBe(36)
      }
      expect(paged).toEqual(all.items.map(({ number }) => number))
      expect(await list(run, { cursor: 9 })).toMatchObject({ newer: 8, items: { length: 8 } })
    })

    test('finds the key of a task, whatever the case, and only its rollouts', async () => {
      const { run, first } = await oddRun()
      const all = (await list(run, { limit: 200 })).items
      const key = all.find(({ task }) => task.id === first.id)?.task.key ?? ''
      expect(key).not.toBe('')
      const found = await list(run, { q: key.toUpperCase(), limit: 200 })
      const keyed = all.filter(({ task }) => task.key.includes(key))
      expect(keyed.length).toBeGreaterThan(0)
      expect(found.items.map(({ number }) => number)).toEqual(expect.arrayContaining(keyed.map(({ number }) => number)))
      expect(found.items.find(({ task }) => task.id === first.id)?.rollouts).toHaveLength(3)
      expect(await list(run, { q: key, policy: 7 })).toMatchObject({ items: [] })
    })

    test('filters by environment, task, policy, status and reward, with exact totals', async () => {
      const { run, first } = await oddRun()
      const refs = async (query: object) =>
        (await list(run, { ...query, limit: 200 })).items.flatMap(({ rollouts }) => rollouts)
      expect(await list(run, { policy: 1, task: first.id })).toMatchObject({ total: 3, items: { length: 1 } })
      expect((await list(run, { policy: 7 })).items).toEqual([])
      const environment = (await list(run, { task: first.id })).items[0]?.task.environment.id
      const inside = await list(run, { environment, limit: 200 })
      expect(new Set(inside.items.map(({ task }) => task.environment.id))).toEqual(new Set([environment]))
      expect(inside.total).toBe(inside.items.reduce((sum, { result }) => sum + result.returned, 0))
      expect((await refs({ status: 'infra_error' })).map(({ distrust }) => distrust)).toEqual(['status'])
      expect(await refs({ status: 'ok,infra_error' })).toHaveLength(36)
      expect(await refs({ reward: 'untrusted' })).toHaveLength(1)
      // nothing is still out among groups that hold matches
      expect((await list(run, { status: 'infra_error' })).items).toHaveLength(1)
      const counts: number[] = []
      for (const reward of ['solved', 'failed', 'between', 'untrusted'] as const) {
        const found = await refs({ reward })
        const fills = { solved: [1], failed: [0], between: [], untrusted: [null] }[reward]
        expect(new Set(found.map(({ fill }) => fill))).toEqual(new Set(fills))
        expect(await list(run, { reward, limit: 1 }), reward).toMatchObject({ total: found.length })
        counts.push(found.length)
      }
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(36)
      expect((await list(run, { reward: 'failed', status: 'ok' })).total).toBe(counts[1])
      await expect(list(run, { environment: 'e99' })).rejects.toThrow(/e99/)
      expect(rolloutGroupQuery.safeParse({ status: 'fine' }).success).toBe(false)
    })

    test('finds text in ids, tools, errors, workers and messages, whatever signs it has', async () => {
      const { run } = await oddRun()
      const refs = async (q: string) =>
        (await list(run, { q, limit: 200 })).items.flatMap(({ rollouts }) => rollouts.map(({ ref }) => ref))
      const refOf = async (id: string) => {
        for await (const rollout of await exportRollouts(runtime, run, {}, false))
          if (rollout.id === id) return rollout.ref
        return null
      }
      expect(await refs('odd/../1')).toEqual([await refOf('odd/../1')])
      expect(await refs('REFUND_bag')).toHaveLength(2)
      expect(await refs('"card": "card_9027"')).toEqual([await refOf('odd/../1')])
      expect(await refs('100% of_it')).toHaveLength(2)
      expect(await refs('100_ of%')).toEqual([])
      expect(await refs('w6')).toEqual([await refOf('lost')])
      expect(await refs("'; drop table --")).toEqual([])
      expect(await list(run, { q: 'no such words', limit: 200 })).toMatchObject({ items: [], next: null, searched: 36 })
    })

    test('one rollout has its messages, its place in the group, its siblings and what failed alike', async () => {
      const { run } = await oddRun()
      const partial = (await list(run, { status: 'infra_error' })).items[0]
      const ref = partial?.rollouts[0]?.ref ?? ''
      const lost = await readRollout(runtime, run, ref, null)
      expect(lost).toMatchObject({ id: 'lost', position: 3, next: null, messages: null, left: 0, reward: null })
      expect(lost.alike).toMatchObject({ count: expect.any(Number), workers: ['w6'] })
      expect(lost.siblings.map(({ id, fill }) => [id, fill])).toEqual([
        ['solved one', 1],
        ['odd/../1', 0],
        ['lost', null],
      ])
      const before = await readRollout(runtime, run, lost.previous ?? '', null)
      expect(before).toMatchObject({ id: 'odd/../1', next: ref, error: null, alike: null })
      expect(before.messages).toHaveLength(1)
      expect(before.in.id).toBe(partial?.id)
      await expect(readRollout(runtime, run, 'r999', null)).rejects.toThrow(/r999/)
      await expect(readRollout(runtime, run, 'lost', null)).rejects.toThrow(/r12/)
    })

    test('long texts are cut to what is asked for, and the rest is counted', async () => {
      const { run, second } = await oddRun()
      const messages = [
        { role: 'user', content: 'x'.repeat(2_000_000) },
        { role: 'assistant', content: [{ type: 'text', text: 'y'.repeat(500) }] },
      ]
      await reportRollouts(
        runtime,
        run,
        [{ lease: second.lease, policyVersion: 1, id: 'long', reward: 0, messages }],
        START,
      )
      const line = (await list(run, { q: 'long' })).items[0]?.rollouts.at(-1)
      const cut = await readRollout(runtime, run, line?.ref ?? '', 400)
      expect(cut.left).toBe(2_000_000 - 400 + 100)
      expect(JSON.stringify(cut.messages).length).toBeLessThan(1000)
      const whole = await readRollout(runtime, run, line?.ref ?? '', null)
      expect(whole.left).toBe(0)
      expect(whole.messages).toEqual(messages)
    })

    test('an export has every match once, with messages when asked for', async () => {
      const { run } = await oddRun()
      const ids: string[] = []
      for await (const rollout of await exportRollouts(runtime, run, { policy: 0 }, true)) {
        ids.push(rollout.id)
        expect(rollout.messages).toEqual([{ role: 'user', content: 'hello' }])
      }
      expect(ids).toHaveLength(32)
      expect(new Set(ids).size).toBe(32)
      await expect(exportRollouts(runtime, run, { task: 't999' }, false)).rejects.toThrow(/t999/)
    })
  })
}
