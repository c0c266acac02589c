/** A language model under GRPO asks a live server: the short version of `npm run bench:lm`. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { areaTo, curveOf } from '@/lib/cli/bench-lm-measures'
import { type LmPython, PYTHON_SOURCES, preparePython, pythonEnvironment } from '@/lib/cli/bench-lm-python'
import { type LmGroup, type LmTraining, runTraining, warmUp } from '@/lib/cli/bench-lm-training'
import type { NoPython } from '@/lib/cli/python-environment'
import type { BatchDetail } from '@/lib/contract/batch'
import type { List } from '@/lib/contract/page'
import type { RunDetail } from '@/lib/contract/run'
import { publicFolder } from '@/tests/python/run-python'
import { startServer, type TestServer } from '@/tests/support/server'

const WORLD = 1
const STEPS = 60
/** generous: two minutes alone, eight on a machine with other work */
const SETUP_MS = 900_000

const say = (line: string) => process.stderr.write(`${line}\n`)
const python: LmPython | NoPython = await preparePython(process.env, say)
if ('skipped' in python) say(python.skipped)

const key = ({ environment, task }: { environment: string; task: string }) => `${environment} ${task}`

/** Mean and unbiased variance of a group, from its rewards alone. */
function statisticsOf({ rewards }: LmGroup) {
  const mean = rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length
  const squares = rewards.reduce((sum, reward) => sum + (reward - mean) ** 2, 0)
  return { mean, variance: squares / (rewards.length - 1), informative: new Set(rewards).size > 1 }
}

describe.skipIf('skipped' in python)('a language model under GRPO, asking a live server', () => {
  let server: TestServer
  const trainings = new Map<string, LmTraining>()
  beforeAll(async () => {
    if ('skipped' in python) return
    await warmUp(WORLD, python)
    server = await startServer()
    const at = { address: server.url, token: server.token }
    for (const arm of ['uniform', 'envsched']) {
      trainings.set(arm, await runTraining({ arm, world: WORLD, steps: STEPS, groups: true }, python, at, () => {}))
    }
  }, SETUP_MS)
  afterAll(() => server?.stop())

  const trained = (arm: string): LmTraining => {
    const training = trainings.get(arm)
    if (training === undefined) throw new Error(`${arm} was not trained`)
    return training
  }
  const curve = (arm: string) => curveOf(trained(arm))
  const end = (arm: string) => curve(arm).at(-1)?.[1] ?? Number.NaN

  test.each(['uniform', 'envsched'])('the server holds every group of %s as the trainer computed it', async (arm) => {
    const { run: id, groups = [] } = trained(arm)
    const run = (await server.api<RunDetail>(`/runs/${id}`)).body
    expect(run).toMatchObject({
      status: 'finished',
      batch: STEPS,
      rollouts: STEPS * 128,
      scheduler: arm,
      leasesOpen: 0,
    })
    expect(run).toMatchObject({ policyVersion: STEPS - 1, batchSize: 16, groupSize: 8 })
    const { items, total } = (await server.api<List<BatchDetail>>(`/runs/${id}/batches?include=picks&limit=100`)).body
    expect(total).toBe(STEPS)
    const held = new Map(
      items.flatMap((batch) =>
        batch.pickList.map((pick) => [
          `${batch.policyVersion} ${pick.environment.key} ${pick.task.key}`,
          { mean: pick.result.mean, variance: pick.result.variance, informative: pick.result.informative },
        ]),
      ),
    )
    expect(groups).toHaveLength(STEPS * 16)
    expect(held.size).toBe(groups.length)
    for (const group of groups) {
      const own = statisticsOf(group)
      const told = held.get(`${group.step} ${key(group)}`)
      expect(told, `${group.step} ${key(group)}`).toMatchObject({ informative: own.informative })
      expect(told?.mean).toBeCloseTo(own.mean, 9)
      expect(told?.variance).toBeCloseTo(own.variance, 9)
    }
  })

  test('the model learns, with EnvSched faster than with uniform choice', () => {
    expect(curve('uniform')[0]).toEqual(curve('envsched')[0])
    const start = curve('uniform')[0]?.[1] ?? Number.NaN
    expect(end('uniform')).toBeGreaterThan(start + 0.05)
    expect(end('envsched')).toBeGreaterThan(start + 0.05)
    expect(areaTo(curve('envsched'), STEPS)).toBeGreaterThan(areaTo(curve('uniform'), STEPS))
    expect(end('envsched')).toBeGreaterThan(end('uniform') + 0.025)
  })
})

describe.skipIf('skipped' in python)('the model', () => {
  test('samples as often right as its exact probability says, and the base model is as skilled as it should be', async () => {
    if ('skipped' in python) return
    const code = `
import json, torch, pathlib, sys
from model import sample, solve_probability
from warm_start import base_model
from world import World
world = World(${WORLD})
model = base_model(world, pathlib.Path(sys.argv[1]))
prompts, answers = (torch.from_numpy(x) for x in (world.training.prompts, world.training.answers))
exact = solve_probability(model, prompts, answers)
copies = 40
written = sample(model, prompts, copies, torch.Generator().manual_seed(1))
right = (written == answers.repeat_interleave(copies, 0)).all(1).float().view(-1, copies).mean(1)
error = (exact * (1 - exact) / copies).mean().div(len(exact)).sqrt()
weights = sum(p.numel() for p in model.parameters())
print(json.dumps({"tasks": len(world.tasks), "heldOut": len(world.held_out), "weights": weights, "mean": exact.mean().item(),
    "off": ((right.mean() - exact.mean()) / error).item(), "dead": (exact < 0.02).float().mean().item(), "solved": (exact > 0.9).float().mean().item()}))`
    const sources = { PYTHONPATH: [PYTHON_SOURCES, publicFolder].join(path.delimiter) }
    const out = execFileSync(python.python, ['-c', code, python.baseOf(WORLD)], {
      env: { ...pythonEnvironment(''), ...sources },
    })
    const told = JSON.parse(out.toString()) as Record<string, number>
    expect([told.tasks, told.heldOut]).toEqual([1000, 390])
    expect(told.weights).toBeGreaterThan(100_000)
    expect(told.weights).toBeLessThan(120_000)
    expect(Math.abs(told.off ?? Number.NaN)).toBeLessThan(4)
    expect(told.dead).toBeGreaterThan(0.1)
    expect(told.solved).toBeGreaterThan(0.1)
  })
})

describe('without PyPI', () => {
  test('there is one sentence that says so, and nothing half-made is left', async () => {
    const cache = mkdtempSync(path.join(tmpdir(), 'envsched-cache-'))
    const env = { ...process.env, XDG_CACHE_HOME: cache, PIP_INDEX_URL: 'http://127.0.0.1:9/', PIP_RETRIES: '0' }
    const nothing = await preparePython(env, () => {})
    expect('skipped' in nothing ? nothing.skipped : '').toMatch(
      /^The language model needs torch and PyPI.*: skipped\.$/,
    )
    expect(readdirSync(path.join(cache, 'envsched')).filter((name) => name !== 'building')).toEqual([])
    rmSync(cache, { recursive: true, force: true })
  })
})
