/**
 * TRL's GRPOTrainer trains a small transformer through public/recipes/trl_envsched.py, asking a live server: the short
 * version of `npm run bench:lm -- --trainer trl`. The server is killed on the way, and the training resumed.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { differences, readGroups } from '@/lib/cli/bench-lm-groups'
import { curveOf } from '@/lib/cli/bench-lm-measures'
import { preparePython } from '@/lib/cli/bench-lm-python'
import { type LmTraining, runTraining, warmUp } from '@/lib/cli/bench-lm-training'
import type { BatchSummary } from '@/lib/contract/batch'
import type { List } from '@/lib/contract/page'
import type { RolloutRow } from '@/lib/contract/rollout'
import type { RunDetail } from '@/lib/contract/run'
import { startServer, type TestServer } from '@/tests/support/server'

const WORLD = 1
const GROUPS = 16
/** steps of the training that dies, its checkpoint, and how far the resumed one goes */
const [DIES, SAVED, STEPS] = [14, 10, 20]
const [KILLED_AFTER, BACK_AFTER] = [4, 7]
/** generous: a minute alone, many on a machine with other work */
const SETUP_MS = 900_000

const say = (line: string) => process.stderr.write(`${line}\n`)
const python = await preparePython(process.env, say, 'trl')
if ('skipped' in python) say(python.skipped)

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)

describe.skipIf('skipped' in python)("TRL's GRPOTrainer, asking a live server", () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'envsched-trl-'))
  const data = path.join(folder, 'data')
  const output = path.join(folder, 'output')
  let server: TestServer
  let first: LmTraining
  let second: LmTraining

  beforeAll(async () => {
    if ('skipped' in python) return
    await warmUp(WORLD, python)
    server = await startServer({ dataDir: data })
    const at = { address: server.url, token: server.token }
    const folders = ['--output', output, '--spool', path.join(folder, 'spool')]
    const flags = ['--key', 'trl', '--rate', '5e-4', '--alone', String(BACK_AFTER + 1), ...folders]
    const plan = { arm: 'envsched', world: WORLD, groups: true }
    let outage: Promise<unknown> = Promise.resolve()
    const due = [
      { after: KILLED_AFTER, act: () => server.kill() },
      {
        after: BACK_AFTER,
        act: async () => {
          server = await startServer({ dataDir: data, port: server.port })
        },
      },
    ]
    const watch = (line: string) => {
      const step = Number(/step (\d+)/.exec(line)?.[1])
      const now = due.filter(({ after }) => step >= after)
      due.splice(0, now.length)
      for (const { act } of now) outage = outage.then(act)
    }
    const saved = ['--save-every', String(SAVED), '--open']
    first = await runTraining({ ...plan, steps: DIES, flags: [...flags, ...saved] }, python, at, watch)
    await outage
    // loader workers and accumulation read ahead of a sampler, not of the hook
    const resumed = ['--resume', path.join(output, `checkpoint-${SAVED}`), '--parts', '2', '--workers', '2']
    second = await runTraining({ ...plan, steps: STEPS, flags: [...flags, ...resumed] }, python, at, () => {})
  }, SETUP_MS)
  afterAll(async () => {
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const batches = async () => (await server.api<List<BatchSummary>>(`/runs/${second.run}/batches?limit=100`)).body.items

  /** when the last rollout of a batch arrived, by the batch's index */
  const lastReports = async () => {
    const last = new Map<number, string>()
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query: string = `limit=1000${cursor === '' ? '' : `&cursor=${cursor}`}`
      const page: List<RolloutRow> = (await server.api<List<RolloutRow>>(`/runs/${second.run}/rollouts?${query}`)).body
      for (const { batch, at } of page.items) if (batch !== null && at > (last.get(batch) ?? '')) last.set(batch, at)
      cursor = page.next
    }
    return last
  }

  test('the server holds every group as TRL logged it, those of the outage too', async () => {
    const logged = second.groups ?? []
    expect(logged).toHaveLength(STEPS * GROUPS)
    const held = await readGroups(second.run ?? '', { address: server.url, token: server.token })
    const counted = held.filter(({ superseded }) => !superseded)
    expect(differences(logged, counted)).toEqual([])
    const alone = counted.filter(({ batch }) => batch === null)
    expect(alone.length).toBeGreaterThanOrEqual((BACK_AFTER - KILLED_AFTER - 1) * GROUPS)
    expect(alone.every(({ policyVersion }) => policyVersion >= KILLED_AFTER && policyVersion < SAVED)).toBe(true)
    const lost = (first.groups ?? []).filter(({ step }) => step >= SAVED)
    expect(lost).toHaveLength((DIES - SAVED) * GROUPS)
    expect(
      differences(
        lost,
        held.filter(({ superseded }) => superseded),
      ),
    ).toEqual([])
  })

  test('the policy is strictly in step: each batch was asked when all before it was reported, with its own weights', async () => {
    const inOrder = (await batches()).filter(({ superseded }) => !superseded).sort((a, b) => a.index - b.index)
    const versions = inOrder.map(({ policyVersion }) => policyVersion)
    expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b))
    expect(versions.slice(0, KILLED_AFTER)).toEqual(range(0, KILLED_AFTER))
    expect(inOrder.every(({ back, picks }) => back === picks && picks === GROUPS)).toBe(true)
    const reported = await lastReports()
    const inStep = inOrder.flatMap((batch, i) => {
      const before = inOrder[i - 1]
      // what the outage lies between was kept on disk and sent later
      if (before === undefined || before.policyVersion + 1 !== batch.policyVersion) return []
      return [(reported.get(before.index) ?? '~') <= batch.at]
    })
    expect(inStep.length).toBeGreaterThan(STEPS - SAVED)
    expect(inStep).not.toContain(false)
  })

  test("a resumed training goes back to the checkpoint's state and asks for no old batch", async () => {
    const file = path.join(output, `checkpoint-${SAVED}`, 'envsched.json')
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ run: first.run, policyVersion: SAVED - 1 })
    expect(second.run).toBe(first.run)
    expect(second.picked.reduce((sum, count) => sum + count, 0)).toBe((STEPS - SAVED) * GROUPS)
    const all = await batches()
    const versions = (superseded: boolean) =>
      all.filter((batch) => batch.superseded === superseded && batch.policyVersion >= SAVED).map((b) => b.policyVersion)
    expect(versions(true).sort((a, b) => a - b)).toEqual(range(SAVED, DIES))
    expect(versions(false).sort((a, b) => a - b)).toEqual(range(SAVED, STEPS))
    const run = (await server.api<RunDetail>(`/runs/${second.run}`)).body
    expect(run).toMatchObject({ status: 'finished', policyVersion: STEPS - 1, leasesOpen: 0 })
  })

  test('the model learns', () => {
    const [start, ...scores] = [...curveOf(first), ...curveOf(second)].map(([, score]) => score)
    expect(scores).toHaveLength(3)
    expect(scores.at(-1)).toBeGreaterThan((start ?? Number.NaN) + 0.03)
  })
})
