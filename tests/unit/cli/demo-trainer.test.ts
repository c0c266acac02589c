import { describe, expect, it } from 'vitest'
import { planOf } from '@/lib/cli/demo-trainer'
import { type KeptPolicy, type TrainerOptions, trainOverHttp } from '@/lib/cli/demo-trainer-loop'
import { arrivals } from '@/lib/cli/demo-trainer-report'
import { call, persist, Refused, ServerAway, type Transport } from '@/lib/cli/demo-trainer-server'
import { rolloutInput, scoreInput } from '@/lib/contract/rollout'
import { type RunInput, runConfig, runInput } from '@/lib/contract/run'
import { type TaskSetInput, taskSetInput } from '@/lib/contract/task-set'
import { demoQuotas } from '@/lib/testbed/demo-world'
import { makePolicy } from '@/lib/testbed/policy'
import { makeWorld } from '@/lib/testbed/worlds'

const world = makeWorld('demo', 1)
const options: TrainerOptions = {
  steps: 3,
  pace: 1.2,
  patience: 4,
  seed: 1,
  name: 'Demo',
  key: 'demo',
  config: { quotas: demoQuotas() },
  stages: null,
}

interface Stored {
  id: string
  lease?: string | null
  policyVersion: number
  reward?: unknown
}

/** A server that keeps what it is told and picks the next tasks of the set in order. */
class FakeServer {
  taskSet: TaskSetInput | null = null
  run: RunInput | null = null
  status = 'live'
  policyVersion: number | null = null
  readonly rollouts = new Map<string, Stored>()
  readonly batches = new Map<string, unknown>()
  readonly scores: { policyVersion: number; value: number }[] = []
  readonly calls: string[] = []
  duplicates = 0
  /** called before each request; may throw to be away, or answer instead */
  before: (method: string, path: string, count: number) => { status: number; body: unknown } | null = () => null

  readonly transport: Transport = async (method, path, body) => {
    this.calls.push(`${method} ${path}`)
    return this.before(method, path, this.calls.length) ?? this.answer(`${method} ${path}`, body)
  }

  private answer(what: string, body: unknown): { status: number; body: unknown } {
    if (what === 'POST /api/v1/task-sets') {
      this.taskSet = taskSetInput.parse(body)
      return { status: 201, body: { id: 's1' } }
    }
    if (what === 'POST /api/v1/runs') {
      this.run = runInput.parse(body)
      return { status: 201, body: { id: 'r1', status: this.status, policyVersion: this.policyVersion } }
    }
    if (what === 'POST /api/v1/runs/r1/batches') return { status: 200, body: this.batch(body) }
    if (what === 'POST /api/v1/runs/r1/rollouts') return { status: 200, body: this.store(body) }
    if (what === 'POST /api/v1/runs/r1/scores') {
      this.scores.push(scoreInput.parse(body))
      return { status: 200, body: {} }
    }
    if (what === 'PATCH /api/v1/runs/r1') {
      this.status = (body as { status: string }).status
      return { status: 200, body: {} }
    }
    return { status: 404, body: { error: { code: 'not_found', message: `no ${what}`, issues: [] } } }
  }

  private batch(body: unknown) {
    const { requestId, size, groupSize, policyVersion } = body as Record<string, number> & { requestId: string }
    this.policyVersion = policyVersion!
    const known = this.batches.get(requestId)
    if (known !== undefined) return known
    const index = this.batches.size + 1
    const tasks = this.taskSet!.tasks
    const picks = Array.from({ length: size! }, (_, i) => {
      const { environment, key } = tasks[(index * 131 + i * 17) % tasks.length]!
      return { lease: `l${index}-${i}`, environment, task: key, groupSize, payload: null, reason: 'next in order' }
    })
    const answer = { batch: `b${index}`, index, fallback: { rung: 'full', why: null }, picks }
    this.batches.set(requestId, answer)
    return answer
  }

  private store(body: unknown) {
    let accepted = 0
    for (const item of body as unknown[]) {
      const rollout = rolloutInput.parse(item)
      if (this.rollouts.has(rollout.id)) this.duplicates++
      else {
        this.rollouts.set(rollout.id, rollout)
        accepted++
      }
    }
    return { accepted, duplicates: this.duplicates, untrusted: {}, rejected: [] }
  }
}

function around(server: FakeServer) {
  const lines: string[] = []
  let slept = 0
  const sleep = async (seconds: number) => {
    slept += seconds
  }
  const log = (line: string) => lines.push(line)
  const places = { kept: null as KeptPolicy | null, keep: () => undefined }
  return { transport: server.transport, sleep, log, lines, slept: () => slept, ...places }
}

const away = () => {
  throw new TypeError('fetch failed')
}

describe('the demo trainer', () => {
  it('registers, asks, reports each rollout once in several calls, scores, and finishes', async () => {
    const server = new FakeServer()
    const place = around(server)
    await trainOverHttp(world, options, place)
    expect(server.run).toMatchObject({ taskSet: 's1', name: 'Demo', key: 'demo', plannedSteps: 3 })
    expect(server.run!.config!.quotas).toEqual(demoQuotas())
    expect(server.taskSet!.environments.length).toBe(12)
    expect(server.batches.size).toBe(3)
    expect(server.rollouts.size).toBe(3 * 32 * 8)
    expect(server.duplicates).toBe(0)
    expect(server.calls.filter((line) => line.endsWith('/rollouts')).length).toBeGreaterThan(3 * 4)
    expect(server.scores.map((score) => score.policyVersion)).toEqual([1, 2, 3])
    expect(server.status).toBe('finished')
    expect(place.slept()).toBeCloseTo(3 * options.pace, 6)
  })

  it('reports a lost reward as null, never as 0', async () => {
    const server = new FakeServer()
    await trainOverHttp(world, options, around(server))
    const lost = [...server.rollouts.values()].filter((rollout) => rolloutInput.parse(rollout).status !== 'ok')
    const failed = lost.map((rollout) => rolloutInput.parse(rollout)).filter((r) => r.status !== 'truncated')
    expect(failed.length).toBeGreaterThan(0)
    for (const rollout of failed) expect(rollout.reward).toBeNull()
  })

  it('tells rollouts as small conversations whose calls are the reported tools', async () => {
    const server = new FakeServer()
    await trainOverHttp(world, { ...options, steps: 1 }, around(server))
    const told = [...server.rollouts.values()].map((r) => rolloutInput.parse(r)).filter((r) => r.messages != null)
    expect(told.length).toBe(256)
    expect(JSON.stringify(told).length / told.length).toBeLessThan(4000)
    for (const rollout of told) {
      const called = rollout.messages!.flatMap((message) => {
        const calls = message.tool_calls as { function: { name: string; arguments: string } }[] | undefined
        for (const one of calls ?? []) JSON.parse(one.function.arguments)
        return (calls ?? []).map((one) => one.function.name)
      })
      expect(called).toEqual(rollout.tools)
      expect(rollout.messages![0]!.role).toBe('system')
      // no verifier ran where the environment broke down, and nobody speaks after it
      expect(rollout.rewardComponents === undefined).toBe(rollout.status.endsWith('_error'))
      if (rollout.status === 'infra_error') expect(rollout.messages!.at(-1)!.tool_calls).toBeDefined()
    }
  })

  it('keeps its reports while the server is away for a moment, and loses none', async () => {
    const server = new FakeServer()
    server.before = (_method, _path, count) => (count % 5 === 0 ? away() : null)
    await trainOverHttp(world, options, around(server))
    expect(server.rollouts.size).toBe(3 * 32 * 8)
    expect(server.batches.size).toBe(3)
    expect(server.scores.length).toBe(3)
  })

  it('recognises its own reports when the answer was lost', async () => {
    const server = new FakeServer()
    const lossy: Transport = async (method, path, body) => {
      const answer = await server.transport(method, path, body)
      return server.calls.length % 4 === 0 ? away() : answer
    }
    await trainOverHttp(world, options, { ...around(server), transport: lossy })
    expect(server.duplicates).toBeGreaterThan(0)
    expect(server.rollouts.size).toBe(3 * 32 * 8)
  })

  it('chooses uniformly when the server stays away, and reports without a lease later', async () => {
    const server = new FakeServer()
    let refused = 0
    server.before = (_method, path) => {
      if (!path.endsWith('/batches') || server.batches.size !== 1 || refused > 8) return null
      refused++
      return { status: 503, body: null }
    }
    const place = around(server)
    await trainOverHttp(world, { ...options, patience: 2 }, place)
    const own = [...server.rollouts.values()].filter((rollout) => rollout.lease === undefined)
    expect(own.length).toBeGreaterThanOrEqual(32 * 8)
    expect(new Set(own.map((rollout) => rollout.policyVersion)).has(1)).toBe(true)
    expect(place.lines.some((line) => line.includes('drawn uniformly'))).toBe(true)
    expect(server.status).toBe('finished')
  })

  it('waits for a paused run as long as it takes', async () => {
    const server = new FakeServer()
    let asked = 0
    const paused = { error: { code: 'run_paused', message: 'The run is paused.', issues: [] } }
    server.before = (_method, path) =>
      path.endsWith('/batches') && ++asked <= 50 ? { status: 409, body: paused } : null
    const place = around(server)
    await trainOverHttp(world, options, place)
    expect(server.batches.size).toBe(3)
    expect(place.lines.filter((line) => line.includes('paused')).length).toBe(1)
  })

  it('goes on from the policy version of its run after a restart', async () => {
    const server = new FakeServer()
    server.before = (_method, path) => {
      if (path.endsWith('/rollouts') && server.batches.size === 2) throw new Refused(500, 'x', 'stop here')
      return null
    }
    await expect(trainOverHttp(world, { ...options, patience: 0 }, around(server))).rejects.toThrow()
    server.before = () => null
    await trainOverHttp(world, options, around(server))
    expect([...server.batches.keys()]).toEqual(['policy-0', 'policy-1', 'policy-2'])
    expect(server.status).toBe('finished')
  })

  it('goes on with the kept policy of its version, and with a fresh one where the versions differ', async () => {
    const policy = makePolicy(world, 1)
    for (const [index, environment] of world.environments.entries())
      for (const [local, tool] of environment.correct.entries())
        policy.own[(policy.offsets[index] ?? 0) + local * environment.tools.length + tool] = 30
    policy.contract.fill(30)
    const scoreOf = async (policyVersion: number) => {
      const server = new FakeServer()
      server.policyVersion = 1
      await trainOverHttp(world, { ...options, steps: 2 }, { ...around(server), kept: { ...policy, policyVersion } })
      return server.scores.find((score) => score.policyVersion === 2)?.value ?? 0
    }
    expect(await scoreOf(1)).toBeGreaterThan(0.95)
    expect(await scoreOf(0)).toBeLessThan(0.8)
  })

  it('stops with the sentence of the server when it is refused', async () => {
    const server = new FakeServer()
    const body = { error: { code: 'unauthorized', message: 'The token is not known.', issues: [] } }
    server.before = () => ({ status: 401, body })
    await expect(trainOverHttp(world, options, around(server))).rejects.toThrow('The token is not known.')
  })
})

describe('persist', () => {
  it('gives up after its patience, and never repeats a refusal', async () => {
    let tries = 0
    const sleep = async () => undefined
    const gone = async () => {
      tries++
      throw new ServerAway('gone')
    }
    await expect(persist(gone, 10, sleep)).rejects.toThrow('gone')
    expect(tries).toBeGreaterThan(3)
    const refuse: Transport = async () => ({ status: 422, body: null })
    await expect(persist(() => call(refuse, 'POST', '/x', {}), 10, sleep)).rejects.toThrow('422')
  })
})

describe('arrivals', () => {
  it('are ordered, within the pace, slow ones last', () => {
    const coming = arrivals([8, 1, 64].map((seconds) => ({ report: { seconds }, seconds })))
    expect(coming.map(({ report }) => report)).toEqual([{ seconds: 1 }, { seconds: 8 }, { seconds: 64 }])
    for (const [i, expected] of [0.8 / 3 + 0.05, 1.6 / 3 + 0.1, 1].entries())
      expect(coming[i]!.at).toBeCloseTo(expected, 12)
    expect(arrivals([])).toEqual([])
  })
})

describe('flags', () => {
  it('have defaults, and one sentence for what is wrong', () => {
    const plan = planOf(['--url', 'http://127.0.0.1:1', '--steps', '5'], { ENVSCHED_TOKEN: 'secret' })
    expect(plan).toMatchObject({ token: 'secret', options: { steps: 5, pace: 4, key: null } })
    expect(runConfig.parse(plan!.options.config).scheduler).toBe('envsched')
    expect(planOf(['--help'], {})).toBeNull()
    expect(() => planOf([], {})).toThrow('--url')
    expect(planOf(['--url', 'x', '--stages', '4,4'], {})?.options.stages).toEqual([4, 4])
    for (const wrong of ['4', '4,x', '2,2,4', '0,8'])
      expect(() => planOf(['--url', 'x', '--stages', wrong], {})).toThrow('--stages')
    expect(() => planOf(['--url', 'x', '--steps', '0'], {})).toThrow('--steps')
    expect(() => planOf(['--url', 'x', '--pace', 'NaN'], {})).toThrow('--pace')
  })

  it('start a run whose configuration the contract takes', () => {
    const plan = planOf(['--url', 'x', '--scheduler', 'env-bandit'], {})
    const config = runConfig.parse(plan!.options.config)
    expect(config.scheduler).toBe('env-bandit')
    const keys = world.environments.map((environment) => environment.key)
    expect(Object.keys(config.quotas).every((key) => keys.includes(key))).toBe(true)
  })
})
