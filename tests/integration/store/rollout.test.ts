/**
 * Rollouts in bulk: an id is stored once, nothing is lost, the process is not blocked; lists, filters and pages.
 */
import { describe, expect, it } from 'vitest'
import {
  findTrajectory,
  insertNewRollouts,
  insertTrajectories,
  knownRollouts,
  listRollouts,
  type NewRollout,
  rolloutsOfGroups,
  valuesOfGroups,
} from '@/lib/store/rollout'
import { isAvailable, useDatabase } from '@/tests/support/database'
import { NOW, rolloutRow, seedRun } from '@/tests/support/store-rows'

const COUNT = 20_000

for (const provider of ['sqlite', 'postgresql'] as const) {
  describe.skipIf(!isAvailable(provider))(`rollouts on ${provider}`, () => {
    const database = useDatabase(provider)

    it('takes 20,000 at once, and each id once only', async () => {
      const run = await seedRun(database())
      const components = [{ name: 'final', value: 0.5 }]
      const rows = Array.from({ length: COUNT }, (_, index) =>
        rolloutRow(`r${index}`, {
          group: Math.floor(index / 8),
          task: index % 4,
          reward: index / 7,
          value: index / 7,
          turns: index % 20,
          tokens: index,
          seconds: index / 3,
          tools: ['read', 'write'],
          components,
        }),
      )
      let longest = 0
      let last = performance.now()
      const watch = setInterval(() => {
        longest = Math.max(longest, performance.now() - last)
        last = performance.now()
      }, 1)
      const begin = performance.now()
      await database().transaction((tx) => insertNewRollouts(tx, run.id, rows))
      const seconds = (performance.now() - begin) / 1000
      clearInterval(watch)
      console.log(
        `${provider}: ${Math.round(COUNT / seconds)} rollouts a second, longest pause of the process ${Math.round(longest)} ms`,
      )

      const insert = (again: NewRollout[]) => database().transaction((tx) => insertNewRollouts(tx, run.id, again))
      await expect(insert([rolloutRow('new', { reward: 9 }), rows[3]!])).rejects.toThrow()
      await expect(insert([rolloutRow('new', { reward: 9 }), rolloutRow('new', { reward: 9 })])).rejects.toThrow()
      await insert([rolloutRow('new', { reward: 0 })])
      const page = await listRollouts(database().db, run.id, {}, { limit: 3 })
      expect(page.total).toBe(COUNT + 1)
      expect(page.items.map((rollout) => rollout.id)).toEqual(['new', 'r19999', 'r19998'])
      expect(page.items[0]?.reward).toBe(0)
      const [one] = (await rolloutsOfGroups(database().db, run.id, [1543])).filter(({ id }) => id === 'r12345')
      expect(one).toEqual({ ...rows[12_345], seq: 12_346 })
      expect(await knownRollouts(database().db, run.id, ['r1', 'r2', 'no', 'new'])).toEqual(
        new Set(['r1', 'r2', 'new']),
      )
    })

    it('rolls back as a whole', async () => {
      const run = await seedRun(database())
      const bad = [
        ...Array.from({ length: 1500 }, (_, index) => rolloutRow(`r${index}`)),
        { ...rolloutRow('x'), at: NaN },
      ]
      await expect(database().transaction((tx) => insertNewRollouts(tx, run.id, bad))).rejects.toThrow()
      expect((await listRollouts(database().db, run.id, {}, { limit: 1 })).total).toBe(0)
    })

    it('keeps null, 0, false, empty and odd text apart', async () => {
      const run = await seedRun(database())
      const zero = rolloutRow('zero', {
        group: 0,
        lease: 0,
        batch: 0,
        reward: 0,
        outcome: 0,
        value: 0,
        trusted: false,
        turns: 0,
        tokens: 0,
        seconds: 0,
        tools: [],
        components: [],
        error: '',
        worker: '',
        distrust: 'status',
        status: 'infra_error',
      })
      const none = rolloutRow('none', { lease: null, batch: null, reward: null, value: null })
      const odd = rolloutRow(`odd "'\\ é 😀 \n`, {
        reward: -0.1 - 0.2,
        outcome: 5e-324,
        value: 1.7976931348623157e308,
        error: 'a\0b\ud800c',
        tools: ['\0', '\ud800', '😀', ''],
      })
      await database().transaction((tx) => insertNewRollouts(tx, run.id, [zero, none, odd]))
      const { items } = await listRollouts(database().db, run.id, {}, { limit: 9, oldestFirst: true })
      expect(items).toEqual([
        { ...zero, seq: 1 },
        { ...none, seq: 2 },
        { ...odd, seq: 3, error: 'a\ufffdb\ufffdc' },
      ])
    })

    it('filters, pages both ways and finds by group', async () => {
      const run = await seedRun(database())
      const rows = Array.from({ length: 10 }, (_, index) =>
        rolloutRow(`r${index}`, {
          task: index % 2,
          group: index % 3,
          environment: 0,
          trusted: index !== 4,
          policyVersion: index % 5,
        }),
      )
      await database().transaction((tx) => insertNewRollouts(tx, run.id, rows))
      const ids = (page: { items: { id: string }[] }) => page.items.map((rollout) => rollout.id).join(' ')
      const { db } = database()
      const first = await listRollouts(db, run.id, { task: 0 }, { limit: 2 })
      expect([ids(first), first.total]).toEqual(['r8 r6', 5])
      const second = await listRollouts(db, run.id, { task: 0 }, { limit: 2, cursor: first.next })
      expect(ids(second)).toBe('r4 r2')
      const third = await listRollouts(db, run.id, { task: 0 }, { limit: 2, cursor: second.next })
      expect([ids(third), third.next]).toEqual(['r0', null])
      expect(ids(await listRollouts(db, run.id, { trusted: false }, { limit: 9 }))).toBe('r4')
      expect(ids(await listRollouts(db, run.id, { policyVersion: 0 }, { limit: 9, oldestFirst: true }))).toBe('r0 r5')
      expect((await listRollouts(db, run.id, { environment: 1 }, { limit: 9 })).items).toEqual([])
      expect((await rolloutsOfGroups(db, run.id, [2, 1])).map((rollout) => rollout.id).join(' ')).toBe(
        'r1 r2 r4 r5 r7 r8',
      )
      expect(await rolloutsOfGroups(db, 'another', [1])).toEqual([])
    })

    it('tells the trusted values of groups in the order they came', async () => {
      const run = await seedRun(database())
      const values = [0, 0.1, null, 1, 0.30000000000000004, 2]
      const rows = values.map((value, index) => rolloutRow(`v${index}`, { group: index % 2, value }))
      await database().transaction((tx) => insertNewRollouts(tx, run.id, rows))
      expect(await valuesOfGroups(database().db, run.id, [1, 0, 7])).toEqual(
        new Map([
          [0, [0, 0.30000000000000004]],
          [1, [0.1, 1, 2]],
        ]),
      )
      expect(await valuesOfGroups(database().db, 'another', [1])).toEqual(new Map())
      await expect(database().transaction((tx) => insertNewRollouts(tx, run.id, rows))).rejects.toThrow()
    })

    it('keeps trajectories apart, the first of each', async () => {
      const run = await seedRun(database())
      const messages = [
        { role: 'user', content: 'a\0b 😀' },
        { role: 'assistant', content: null, tool_calls: [{ id: '' }] },
      ]
      await database().transaction(async (tx) => {
        await insertTrajectories(tx, run.id, [{ rolloutId: 'r', messages }])
        await insertTrajectories(tx, run.id, [{ rolloutId: 'r', messages: [] }])
      })
      expect(await findTrajectory(database().db, run.id, 'r')).toEqual(messages)
      expect(await findTrajectory(database().db, run.id, 's')).toBeNull()
    })

    it('gives two reporters at once their own numbers, or an error, never a silent loss', async () => {
      const run = await seedRun(database())
      const report = (name: string) =>
        database().transaction((tx) =>
          insertNewRollouts(
            tx,
            run.id,
            Array.from({ length: 50 }, (_, index) => rolloutRow(`${name}${index}`, { at: NOW })),
          ),
        )
      // without the run's lock, which services take
      const results = await Promise.allSettled([report('a'), report('b')])
      const stored = results.filter((result) => result.status === 'fulfilled').length * 50
      expect((await listRollouts(database().db, run.id, {}, { limit: 1 })).total).toBe(stored)
      expect(stored).toBeGreaterThan(0)
    })
  })
}
