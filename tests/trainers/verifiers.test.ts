/** verifiers runs real episodes over public/recipes/verifiers_envsched.py, which asks a live server for one task at a time. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readGroups } from '@/lib/cli/bench-lm-groups'
import { preparePythonEnvironment } from '@/lib/cli/python-environment'
import type { RolloutGroup } from '@/lib/contract/rollout-group'
import type { RunDetail } from '@/lib/contract/run'
import { publicFolder } from '@/tests/python/run-python'
import { startServer, type TestServer } from '@/tests/support/server'

const PICKS = 12
const GROUP = 4
const SETUP_MS = 600_000

const said = z.object({
  run: z.string(),
  asked: z.array(z.object({ lease: z.string(), key: z.string(), version: z.number().int() })),
})
/** what a line of traces.jsonl has to say about one rollout */
const episode = z.object({
  task: z.object({ key: z.string(), data: z.object({ lease: z.string() }) }),
  traces: z.tuple([
    z.object({
      id: z.string(),
      rewards: z.record(z.string(), z.object({ score: z.number(), weight: z.number() })),
      errors: z.array(z.unknown()),
    }),
  ]),
})

const say = (line: string) => process.stderr.write(`${line}\n`)
const python = await preparePythonEnvironment('verifiers', process.env, say)
if ('skipped' in python) say(python.skipped)

describe.skipIf('skipped' in python)("verifiers' taskset, asking a live server", () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'envsched-verifiers-'))
  let server: TestServer
  let drive: z.infer<typeof said>
  let episodes: z.infer<typeof episode>[]
  let groups: RolloutGroup[]

  beforeAll(async () => {
    if ('skipped' in python) return
    server = await startServer()
    const modules = [publicFolder, path.join(publicFolder, 'recipes'), import.meta.dirname].join(path.delimiter)
    const program = path.join(import.meta.dirname, 'verifiers_drive.py')
    const { stdout } = await promisify(execFile)(python.python, [program, folder, String(PICKS)], {
      cwd: folder,
      env: {
        ...process.env,
        PYTHONPATH: modules,
        PYTHONDONTWRITEBYTECODE: '1',
        ENVSCHED_URL: server.url,
        ENVSCHED_TOKEN: server.token,
      },
    })
    drive = said.parse(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''))
    const lines = readFileSync(path.join(folder, 'traces.jsonl'), 'utf8').trim().split('\n')
    episodes = lines.map((line) => episode.parse(JSON.parse(line)))
    groups = await readGroups(drive.run, { address: server.url, token: server.token })
  }, SETUP_MS)
  afterAll(async () => {
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const nameOf = ({ task }: RolloutGroup) => `${task.environment.key}/${task.key}`
  const inOrder = () => [...groups].sort((a, b) => a.number - b.number)

  test('each pick was asked when the one before was done, and is one group of the server', () => {
    expect(drive.asked).toHaveLength(PICKS)
    expect(new Set(drive.asked.map(({ lease }) => lease)).size).toBe(PICKS)
    expect(inOrder().map((group) => [nameOf(group), group.policyVersion])).toEqual(
      drive.asked.map(({ key, version }) => [key, version]),
    )
    expect(drive.asked.map(({ version }) => version)).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2])
  })

  test("the server's groups equal what traces.jsonl says, rollout by rollout", () => {
    expect(episodes).toHaveLength(PICKS * GROUP)
    for (const [i, group] of inOrder().entries()) {
      const lease = drive.asked[i]?.lease
      const own = episodes.filter(({ task }) => task.data.lease === lease)
      const rewards = own.flatMap(({ traces: [trace] }) => {
        const scored = Object.values(trace.rewards)
        return scored.length === 0 ? [] : [scored.reduce((sum, { score, weight }) => sum + score * weight, 0)]
      })
      expect(own).toHaveLength(GROUP)
      expect(own.every(({ task }) => task.key === nameOf(group))).toBe(true)
      const held = group.rollouts.filter(({ status }) => status === 'ok').map(({ reward }) => reward)
      expect([...held].sort()).toEqual([...rewards].sort())
      expect(group.result).toMatchObject({ returned: GROUP, trusted: rewards.length })
      const mean = rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length
      if (rewards.length > 0) expect(group.result.mean).toBeCloseTo(mean, 9)
    }
  })

  test('a rollout that broke down is an error without a reward, and no group waits for it', async () => {
    const broken = episodes.filter(({ traces: [trace] }) => trace.errors.length > 0)
    expect(broken.length).toBeGreaterThan(0)
    const errors = groups.flatMap(({ rollouts }) => rollouts.filter(({ status }) => status === 'infra_error'))
    expect(errors).toHaveLength(broken.length)
    expect(errors.every(({ reward, fill }) => reward === null && fill === null)).toBe(true)
    const run = (await server.api<RunDetail>(`/runs/${drive.run}`)).body
    expect(run).toMatchObject({ status: 'finished', rollouts: PICKS * GROUP, leasesOpen: 0 })
  })
})
