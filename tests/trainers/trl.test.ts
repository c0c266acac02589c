/**
 * TRL's GRPOTrainer trains a small transformer through public/recipes/trl_envsched.py, asking a live server: the short
 * version of `npm run bench:lm -- --trainer trl`. The server is killed on the way, and the training resumed.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
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
const STEPS = 20
const RESUMED = 26
const GROUPS = 16
const KILLED_AFTER = 5
const BACK_AFTER = 8
/** generous: a minute alone, many on a machine with other work */
const SETUP_MS = 900_000

const say = (line: string) => process.stderr.write(`${line}\n`)
const python = await preparePython(process.env, say, 'trl')
if ('skipped' in python) say(python.skipped)

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
    const flags = [
      '--key',
      'trl',
      '--rate',
      '5e-4',
      '--alone',
      '--output',
      output,
      '--spool',
      path.join(folder, 'spool'),
    ]
    const plan = { arm: 'envsched', world: WORLD, groups: true }
    let outage: Promise<unknown> = Promise.resolve()
    const atStep = async (step: number) => {
      if (step === KILLED_AFTER) await server.kill()
      if (step === BACK_AFTER) server = await startServer({ dataDir: data, port: server.port })
    }
    const watch = (line: string) => {
      const step = Number(/step (\d+)/.exec(line)?.[1])
      if (Number.isInteger(step)) outage = outage.then(() => atStep(step))
    }
    const saved = ['--save-every', String(STEPS), '--open']
    first = await runTraining({ ...plan, steps: STEPS, flags: [...flags, ...saved] }, python, at, watch)
    await outage
    // loader workers and accumulation read ahead of a sampler, not of the hook
    const resumed = ['--resume', path.join(output, `checkpoint-${STEPS}`), '--parts', '2', '--workers', '2']
    second = await runTraining({ ...plan, steps: RESUMED, flags: [...flags, ...resumed] }, python, at, () => {})
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
    expect(second.run).toBe(first.run)
    const logged = second.groups ?? []
    expect(logged).toHaveLength(RESUMED * GROUPS)
    const held = await readGroups(second.run ?? '', { address: server.url, token: server.token })
    expect(differences(logged, held)).toEqual([])
    const alone = held.filter(({ batch }) => batch === null)
    expect(alone.length).toBeGreaterThanOrEqual((BACK_AFTER - KILLED_AFTER - 1) * GROUPS)
    expect(alone.every(({ policyVersion }) => policyVersion >= KILLED_AFTER && policyVersion < STEPS)).toBe(true)
    const run = (await server.api<RunDetail>(`/runs/${second.run}`)).body
    expect(run).toMatchObject({ status: 'finished', rollouts: RESUMED * GROUPS * 8, leasesOpen: 0 })
  })

  test('the policy is strictly in step: each batch was asked when all before it was reported, with its own weights', async () => {
    const inOrder = (await batches()).sort((a, b) => a.index - b.index)
    const versions = inOrder.map(({ policyVersion }) => policyVersion)
    expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b))
    expect(versions.slice(0, KILLED_AFTER)).toEqual(Array.from({ length: KILLED_AFTER }, (_, i) => i))
    expect(inOrder.every(({ back, picks }) => back === picks && picks === GROUPS)).toBe(true)
    const reported = await lastReports()
    const inStep = inOrder.flatMap((batch, i) => {
      const before = inOrder[i - 1]
      // what the outage lies between was kept on disk and sent later
      if (before === undefined || before.policyVersion + 1 !== batch.policyVersion) return []
      return [(reported.get(before.index) ?? '~') <= batch.at]
    })
    expect(inStep.length).toBeGreaterThan(KILLED_AFTER)
    expect(inStep).not.toContain(false)
  })

  test('a resumed training asks for the steps that are left, and for no old batch', async () => {
    const left = RESUMED - STEPS
    expect(second.picked.reduce((sum, count) => sum + count, 0)).toBe(left * GROUPS)
    const newest = (await batches()).filter(({ policyVersion }) => policyVersion >= STEPS)
    expect(newest).toHaveLength(left)
    const file = path.join(output, `checkpoint-${STEPS}`, 'envsched.json')
    expect(existsSync(file)).toBe(true)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ id: first.run })
  })

  test('the model learns', () => {
    const scores = curveOf(first).map(([, score]) => score)
    expect(scores).toHaveLength(1 + STEPS / 10)
    expect(scores.at(-1)).toBeGreaterThan((scores[0] ?? Number.NaN) + 0.03)
  })
})
