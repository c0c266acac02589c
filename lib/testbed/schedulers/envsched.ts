/**
 * EnvSched in the testbed: the engine's fold, driven as the service drives it, from the task set and rollouts alone.
 * Owns: the translation of picks and groups into log entries. Must never know: skills, chains, the policy.
 * Invariant: each pick of a batch ends in exactly one entry, a group or a released lease. Time is a second a step. Tasks that
 * are not on offer are banned for one batch.
 */
import { defaultConfig, type SchedulerConfig } from '@/lib/engine/config'
import type { BatchRequest, PickDecision, Prediction } from '@/lib/engine/decision'
import type { GroupEntry, LogEntry, Slot } from '@/lib/engine/log-entry'
import { predictMixedTask } from '@/lib/engine/mixture'
import { COMPETING, createModels, type ModelSettings } from '@/lib/engine/models'
import {
  applyEntry,
  createScheduler,
  type DraftChange,
  type Scheduler as Engine,
  proposeBatch,
} from '@/lib/engine/scheduler'
import type { EngineTaskSet } from '@/lib/engine/task-set'
import type { Group } from '@/lib/testbed/group'
import type { Scheduler, SchedulerInput } from '@/lib/testbed/scheduler'
import { interleave } from '@/lib/testbed/schedulers/env-then-task'
import type { TaskSet } from '@/lib/testbed/task-set'

/** The task set as the engine takes it: indices in the order of the set. */
export function engineTaskSet(set: TaskSet): EngineTaskSet {
  const index = new Map(set.environments.map((environment, i) => [environment.key, i]))
  return {
    environments: set.environments.map((environment) => ({
      key: environment.key,
      tools: environment.tools.map((tool) => ({ ...tool })),
      state: environment.state,
      verifier: environment.verifier,
      rewardRange: environment.rewardRange,
      horizon: environment.horizon,
      maxConcurrent: null,
    })),
    tasks: set.tasks.map((task) => ({ ...task, environment: index.get(task.environment) ?? -1 })),
  }
}

interface Out {
  lease: number
  groupSize: number
  forecast: Forecast | null
  slot: GroupEntry['slot']
}

function average(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((a, b) => a + b, 0) / values.length
}

function groupEntry(group: Group, range: readonly [number, number], step: number, out: Out | undefined): GroupEntry {
  const entry: GroupEntry = {
    kind: 'group',
    at: 1000 * step + 500,
    task: group.task,
    policyVersion: step,
    lease: out?.lease ?? null,
    slot: out?.slot ?? null,
    trusted: 0,
    sum: 0,
    sumSquares: 0,
    low: 0,
    high: 0,
    untrusted: 0,
    verifierErrors: 0,
    seconds: null,
    turns: null,
    late: false,
  }
  const trusted = group.rollouts.filter((rollout) => rollout.reward !== null)
  for (const { reward, status } of group.rollouts) {
    if (reward === null) {
      entry.untrusted++
      if (status === 'verifier_error') entry.verifierErrors++
      continue
    }
    entry.trusted++
    entry.sum += reward
    entry.sumSquares += reward * reward
    if (reward <= range[0]) entry.low++
    if (reward >= range[1]) entry.high++
  }
  entry.seconds = average(trusted.map((rollout) => rollout.seconds))
  entry.turns = average(trusted.map((rollout) => rollout.turns))
  return entry
}

/** What an ablation changes: the configuration, what is seen of the task set, the models that compete. */
export interface Ablation {
  config?: (config: SchedulerConfig) => SchedulerConfig
  view?: (set: TaskSet) => TaskSet
  /** without it the competing ones; shadows are left out, since they change no choice */
  models?: readonly ModelSettings[]
  /** an environment may take WIDER times as many picks, which hardly ever binds */
  uncapped?: boolean
  /** remember the log, without which `restructure` has nothing to fold */
  keepLog?: boolean
}

/** What the engine says of a task's next group before it is told of it. */
export interface Forecast {
  variance: number
  informative: number
}

export interface EnvschedScheduler extends Scheduler {
  /** How a task of the batch that is out was picked; null where it is not out. */
  slotOf(task: number): GroupEntry['slot']
  /** What was forecast of it when it was picked, for a group of the size asked for; null where it is not out or was not chosen here. */
  forecastOf(task: number): Forecast | null
  /** Puts out tasks that another has chosen, as uniform draws are: for a scheduler that only watches. */
  take(step: number, tasks: readonly number[]): void
  /** Forecasts of these tasks for groups of these sizes. */
  forecast(tasks: readonly number[], sizes: readonly number[]): Forecast[]
  /** Puts a task set with other things in it in force: the log is folded again on its graph, as a refreshed graph is. */
  restructure(set: TaskSet): void
}

const forecastIn = ({ predictedVariance, informative }: Prediction): Forecast => ({
  variance: predictedVariance,
  informative,
})

/** Shorter than any pick is on the engine's clock: a ban that ends with the batch that it was made for. */
const ONE_BATCH = 1e-3

/** The engine's cap an environment grows with the batch that is asked for. */
const WIDER = 10

/** The batch under a cap WIDER times as large: its uniform picks as ever, then the best of a batch that is as much larger. */
function looselyCapped(scheduler: Engine, request: BatchRequest): PickDecision[] {
  const drawn = proposeBatch(scheduler, request, [], false).picks.filter(({ slot }) => slot === 'uniform')
  const taken = new Set(drawn.map(({ task }) => task))
  const larger = { ...request, size: WIDER * request.size }
  const without: DraftChange = { change: { kind: 'uniform_share', value: 0 }, batches: null }
  const { picks } = proposeBatch(scheduler, larger, [without], false)
  return [...picks.filter(({ task }) => !taken.has(task)).slice(0, request.size - drawn.length), ...drawn]
}

export function envsched(input: SchedulerInput, ablation: Ablation = {}): EnvschedScheduler {
  const viewed = (set: TaskSet) => engineTaskSet(ablation.view?.(set) ?? set)
  const defaults = defaultConfig(input.environments)
  const config = ablation.config?.(defaults) ?? defaults
  const made = (of: TaskSet) => {
    const set = viewed(of)
    const scheduler = createScheduler(set, config, String(input.seed))
    scheduler.models = createModels(scheduler.structure, set, ablation.models ?? COMPETING)
    return scheduler
  }
  let scheduler = made(input.taskSet)
  const log: LogEntry[] = []
  const apply = (entry: LogEntry) => {
    if (ablation.keepLog === true) log.push(entry)
    applyEntry(scheduler, entry)
  }
  const out = new Map<number, Out>()
  let batch = 0
  let lease = 0
  let override = 0
  const close = (open: Uint8Array | undefined, at: number) => {
    open?.forEach((offered, task) => {
      if (offered === 1) return
      apply({ kind: 'override', at, override: ++override, change: { kind: 'ban', task }, batches: ONE_BATCH })
    })
  }
  const issue = (
    step: number,
    picks: readonly { task: number; slot: Slot; groupSize: number; prediction?: Prediction }[],
  ) => {
    const leased = picks.map(({ task, slot, groupSize }) => ({ task, slot, groupSize, lease: ++lease }))
    const { groupSize } = input
    apply({ kind: 'batch', batch: ++batch, at: 1000 * step, policyVersion: step, groupSize, picks: leased })
    leased.forEach(({ task, slot, groupSize: size, lease: number }, k) => {
      const { prediction } = picks[k]!
      const forecast = prediction === undefined ? null : forecastIn(prediction)
      out.set(task, { lease: number, groupSize: size, slot, forecast })
    })
  }
  return {
    next: (step, count, open) => {
      close(open, 1000 * step)
      const request = { size: count, groupSize: input.groupSize, policyVersion: step, at: 1000 * step }
      const picks =
        ablation.uncapped === true
          ? looselyCapped(scheduler, request)
          : proposeBatch(scheduler, request, [], false).picks
      issue(step, picks)
      const tasks = (uniform: boolean) =>
        picks.filter((pick) => (pick.slot === 'uniform') === uniform).map((pick) => pick.task)
      return interleave(tasks(false), tasks(true))
    },
    sizeOf: (task) => out.get(task)?.groupSize ?? input.groupSize,
    observe: (step, groups) => {
      for (const group of groups) {
        const range = input.ranges[input.environmentOf[group.task]!]!
        apply(groupEntry(group, range, step, out.get(group.task)))
        out.delete(group.task)
      }
      for (const { lease: unused } of out.values())
        apply({ kind: 'lease_end', at: 1000 * step + 600, lease: unused, reason: 'released' })
      out.clear()
    },
    slotOf: (task) => out.get(task)?.slot ?? null,
    forecastOf: (task) => out.get(task)?.forecast ?? null,
    take: (step, tasks) =>
      issue(
        step,
        tasks.map((task) => ({ task, slot: 'uniform', groupSize: input.groupSize })),
      ),
    forecast: (tasks, sizes) => tasks.map((task, k) => forecastIn(predictMixedTask(scheduler.models, task, sizes[k]!))),
    restructure: (set) => {
      if (ablation.keepLog !== true) throw new RangeError('a scheduler that keeps no log cannot be made anew')
      scheduler = made(set)
      for (const entry of log) applyEntry(scheduler, entry)
    },
  }
}
