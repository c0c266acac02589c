import fc from 'fast-check'
import { defaultConfig, type SchedulerConfig } from '@/lib/engine/config'
import type { BatchDecision } from '@/lib/engine/decision'
import type { LogEntry, OverrideChange } from '@/lib/engine/log-entry'
import { applyEntry, proposeBatch, type Scheduler } from '@/lib/engine/scheduler'
import type { EngineTaskSet } from '@/lib/engine/task-set'

/** Draws in [0, 1) from an integer seed. */
export function randomOf(seed: number): () => number {
  let x = (seed ^ 0x9e3779b9) >>> 0
  return () => {
    x = (x + 0x6d2b79f5) >>> 0
    let t = Math.imul(x ^ (x >>> 15), x | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

export interface SetShape {
  tasks: number
  environments: number
  seed: number
}

export const setShape: fc.Arbitrary<SetShape> = fc.record({
  tasks: fc.integer({ min: 0, max: 200 }),
  environments: fc.integer({ min: 1, max: 12 }),
  seed: fc.integer({ min: 0, max: 1e6 }),
})

const ROLE = ['read', 'search', 'create', 'update', 'delete', 'compute'] as const

/** A task set whose environments share some tools; every third environment allows few picks at once. */
export function taskSetOf({ tasks, environments, seed }: SetShape, limits = true): EngineTaskSet {
  const random = randomOf(seed)
  const below = (n: number) => Math.floor(random() * n)
  return {
    environments: Array.from({ length: environments }, (_, e) => ({
      key: `environment ${e}`,
      tools: Array.from({ length: 5 }, (_, t) => ({
        name: `tool ${e + t}`,
        role: ROLE[(e + t) % ROLE.length]!,
        description: null,
        parameters: [],
      })),
      state: [],
      verifier: { kind: 'exact', checks: [] },
      rewardRange: e % 4 === 3 ? ([-1, 1] as [number, number]) : null,
      horizon: null,
      maxConcurrent: limits && e % 3 === 2 ? 1 + below(6) : null,
    })),
    tasks: Array.from({ length: tasks }, (_, i) => {
      const environment = below(environments)
      return {
        environment,
        key: `task ${i}`,
        text: null,
        tools: Array.from({ length: below(5) }, () => `tool ${environment + below(5)}`),
        state: [],
        checks: random() < 0.5 ? [`check ${below(6)}`] : [],
      }
    }),
  }
}

export const config = (environments: number, change: Partial<SchedulerConfig> = {}): SchedulerConfig => ({
  ...defaultConfig(environments),
  ...change,
})

/** One group of `size` rollouts, `solved` of them at the high end of the range. */
export function groupEntry(
  s: Scheduler,
  task: number,
  lease: number | null,
  size: number,
  solved: number,
  more: Partial<Extract<LogEntry, { kind: 'group' }>> = {},
): LogEntry {
  const e = s.structure.environmentOf[task]!
  const low = s.state.environments.low[e]!
  const high = s.state.environments.high[e]!
  return {
    kind: 'group',
    at: 0,
    task,
    policyVersion: s.state.totals.policyVersion ?? 0,
    lease,
    slot: null,
    trusted: size,
    sum: solved * high + (size - solved) * low,
    sumSquares: solved * high * high + (size - solved) * low * low,
    low: size - solved,
    high: solved,
    untrusted: 0,
    verifierErrors: 0,
    seconds: null,
    turns: null,
    late: false,
    ...more,
  }
}

export interface RunOptions {
  batches: number
  size: () => number
  /** chance that a person does something before a batch */
  steering?: number
  /** chance that a lease is never answered in its step */
  silent?: number
  /** whether runners-up are looked for, too */
  explain?: boolean
  /** called before the batch is applied */
  seen?: (decision: BatchDecision, size: number) => void
}

function steer(s: Scheduler, random: () => number, override: number): LogEntry {
  const below = (n: number) => Math.floor(random() * n)
  const task = below(Math.max(1, s.structure.tasks))
  const environment = below(s.structure.environments)
  const upper = 0.2 + 0.8 * random()
  const changes: OverrideChange[] = [
    { kind: 'ban', task },
    { kind: 'pin', task },
    { kind: 'pause', environment, mode: 'hold' },
    { kind: 'resume', environment },
    { kind: 'boost', task, environment: null, factor: 4 * random() },
    { kind: 'boost', task: null, environment, factor: 2 * random() },
    { kind: 'weight', name: 'similarity', value: random() },
    { kind: 'weight', name: 'coverage', value: 2 * random() },
    { kind: 'weight', name: 'headroom', value: 3 * random() },
    { kind: 'uniform_share', value: random() },
    { kind: 'quota', environment, lower: (0.5 * upper) / s.structure.environments, upper },
    { kind: 'lift', override: below(override + 1) },
  ]
  const batches = random() < 0.5 ? 1 + below(4) : null
  return { kind: 'override', at: 0, override, change: changes[below(changes.length)]!, batches }
}

/** Plays a run and returns its log. Everything random comes from `seed`. */
export function playRun(s: Scheduler, seed: number, options: RunOptions): LogEntry[] {
  const random = randomOf(seed)
  const log: LogEntry[] = []
  const append = (entry: LogEntry) => {
    applyEntry(s, entry)
    log.push(entry)
  }
  const start = s.state.totals.batch
  for (let b = start + 1; b <= start + options.batches; b++) {
    if (random() < (options.steering ?? 0)) append(steer(s, random, 1000 * start + b))
    append({ kind: 'policy', at: b, policyVersion: b })
    const size = options.size()
    const decision = proposeBatch(s, { size, groupSize: 8, policyVersion: b, at: b }, [], options.explain ?? false)
    options.seen?.(decision, size)
    const picks = decision.picks.map(({ task, slot }, k) => ({ task, slot, lease: 1000 * b + k }))
    append({ kind: 'batch', batch: b, at: b, policyVersion: b, groupSize: 8, picks })
    for (const { lease, task } of [...s.state.leases.values()]) {
      const chance = random()
      if (chance < (options.silent ?? 0)) continue
      if (chance > 0.97) append({ kind: 'lease_end', at: b, lease, reason: 'expired' })
      else if (chance > 0.94) append(groupEntry(s, task, lease, 0, 0, { untrusted: 8, verifierErrors: 8 }))
      else append(groupEntry(s, task, lease, 8, Math.floor(9 * random() ** (1 + (task % 3)))))
    }
  }
  return log
}

export const sum = (terms: object) => Object.values(terms).reduce((total: number, value: number) => total + value, 0)

/** Equality of bytes, without the cost of comparing them one expectation each. */
export const sameBytes = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0
