/**
 * Real rewards as a policy that improves: the models of a source, ordered by their mean reward, are its policy versions, and all
 * trials of one (task, model) are one group.
 * Owns: the shapes, and building them from rollouts of one source. Must never know: files, what a source is called.
 * Invariants: no reward is made up; a rollout without a finite reward, with an error or given twice is counted and left out.
 * What is taken for known before any rollout, the same for every arm: keys, declared fields, and each environment's reward range
 * ([0, 1] where all its rewards lie inside, else its lowest to highest). A group needs two rewards, a rung 30 groups (or 30 % of the tasks).
 */
import { varianceOf } from '@/lib/testbed/group'
import { declaredFields } from '@/lib/testbed/replay/declared-fields'
import type { TaskSetTool } from '@/lib/testbed/task-set'

export interface ReplayRollout {
  environment: string
  task: string
  model: string
  /** which repetition it is; null where not said */
  trial: number | string | null
  reward: number | null
  failed: boolean
  turns: number | null
  tools: readonly string[]
  /** every other field of the rollout that is a text, number or truth value */
  fields: Readonly<Record<string, string>>
}

export interface ReplayGroup {
  /** as reported, in the order of the trials */
  rewards: readonly number[]
  turns: readonly (number | null)[]
  /** tools that any of its rollouts called */
  tools: readonly string[]
  /** of the normalised rewards, unbiased */
  variance: number
  mean: number
  informative: boolean
}

export interface Rung {
  model: string
  meanReward: number
  /** by task; null where the model has no group of it */
  groups: readonly (ReplayGroup | null)[]
  offered: number
}

export interface LeftOut {
  noReward: number
  failed: number
  repeated: number
}

/** What a task set says of a task and of an environment before any rollout. */
export interface KnownTask {
  text: string
  tools: readonly string[]
  state: readonly string[]
  checks: readonly string[]
}

export interface KnownEnvironment {
  tools: readonly TaskSetTool[]
  range: readonly [number, number] | null
}

/** A registered task set, by keys; null for what it does not hold. */
export interface KnownSet {
  task(environment: string, key: string): KnownTask | null
  environment(key: string): KnownEnvironment | null
}

export interface ReplayTask extends KnownTask {
  environment: number
  key: string
}

export interface ReplayEnvironment {
  key: string
  range: readonly [number, number]
  tools: readonly TaskSetTool[]
}

export interface LadderOptions {
  /** policies in the order they came; without it models are ordered by their mean reward */
  order?: readonly string[]
  known?: KnownSet
}

export interface ReplayLadder {
  source: string
  environments: readonly ReplayEnvironment[]
  tasks: readonly ReplayTask[]
  /** weakest model first */
  rungs: readonly Rung[]
  /** rollouts in a group, the median */
  groupSize: number
  /** whether any rollout says which tools it called: a scheduler learns them as it is told */
  hasTools: boolean
  /** whether anything static tells tasks apart or joins them: tools, state, checks, text or declared fields */
  hasStatic: boolean
  declaredFields: readonly string[]
  rollouts: number
  leftOut: LeftOut
  /** groups of two rewards or more, over all models */
  repeatedGroups: number
  /** models that have any, also those with too few for a rung */
  repeatedModels: number
}

const LEAST_TRIALS = 2
const LEAST_GROUPS = 30
const LEAST_SHARE = 0.3

interface Kept {
  trial: number | string | null
  reward: number
  turns: number | null
  tools: readonly string[]
}

interface Sorted {
  /** by model, then by "environment\u0000task" */
  models: Map<string, Map<string, Kept[]>>
  sums: Map<string, { sum: number; count: number }>
  ranges: Map<string, [number, number]>
  leftOut: LeftOut
}

const identityOf = (rollout: ReplayRollout) => `${rollout.environment}\u0000${rollout.task}`

function listed<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key)
  if (found !== undefined) return found
  const made = make()
  map.set(key, made)
  return made
}

function sortRollouts(rollouts: Iterable<ReplayRollout>): Sorted {
  const sorted: Sorted = {
    models: new Map(),
    sums: new Map(),
    ranges: new Map(),
    leftOut: { noReward: 0, failed: 0, repeated: 0 },
  }
  const seen = new Set<string>()
  for (const rollout of rollouts) {
    const { reward, model, environment, trial } = rollout
    if (rollout.failed) {
      sorted.leftOut.failed++
      continue
    }
    if (reward === null || !Number.isFinite(reward)) {
      sorted.leftOut.noReward++
      continue
    }
    const identity = identityOf(rollout)
    if (trial !== null) {
      const once = `${identity}\u0000${model}\u0000${trial}`
      if (seen.has(once)) {
        sorted.leftOut.repeated++
        continue
      }
      seen.add(once)
    }
    const groups = listed(sorted.models, model, () => new Map<string, Kept[]>())
    listed(groups, identity, () => []).push({ trial, reward, turns: rollout.turns, tools: rollout.tools })
    const sum = listed(sorted.sums, model, () => ({ sum: 0, count: 0 }))
    sum.sum += reward
    sum.count++
    const range = listed(sorted.ranges, environment, (): [number, number] => [reward, reward])
    range[0] = Math.min(range[0], reward)
    range[1] = Math.max(range[1], reward)
  }
  return sorted
}

function rangeOf([low, high]: readonly [number, number]): [number, number] {
  if (low >= 0 && high <= 1) return [0, 1]
  return low === high ? [low, low + 1] : [low, high]
}

/** By their numbers where trials have them, else as they came. */
function inOrder(kept: readonly Kept[]): readonly Kept[] {
  const numbered = kept.every(({ trial }) => typeof trial === 'number')
  return numbered ? [...kept].sort((a, b) => Number(a.trial) - Number(b.trial)) : kept
}

function groupOf(given: readonly Kept[], [low, high]: readonly [number, number]): ReplayGroup {
  const kept = inOrder(given)
  const rewards = kept.map(({ reward }) => reward)
  const normalised = rewards.map((reward) => (reward - low) / (high - low))
  return {
    rewards,
    turns: kept.map(({ turns }) => turns),
    tools: [...new Set(kept.flatMap(({ tools }) => tools))],
    variance: varianceOf(normalised) ?? 0,
    mean: normalised.reduce((a, b) => a + b, 0) / normalised.length,
    informative: rewards.some((reward) => reward !== rewards[0]),
  }
}

function medianOf(values: readonly number[]): number {
  const order = [...values].sort((a, b) => a - b)
  return order[Math.floor(order.length / 2)] ?? LEAST_TRIALS
}

const NOTHING: KnownTask = { text: '', tools: [], state: [], checks: [] }

const byReward = (a: Rung, b: Rung) => a.meanReward - b.meanReward || (a.model < b.model ? -1 : 1)

/** The ladder of one source. Rungs may be none: then nothing can be replayed. Cost: holds every rollout once. */
export function buildLadder(
  source: string,
  rollouts: readonly ReplayRollout[],
  { order: given, known }: LadderOptions = {},
): ReplayLadder {
  const { models, sums, ranges, leftOut } = sortRollouts(rollouts)
  const repeated = [...models.values()].map((groups) => [...groups].filter(([, kept]) => kept.length >= LEAST_TRIALS))
  const identities = new Set(repeated.flatMap((groups) => groups.map(([identity]) => identity)))
  const order = [...identities].sort()
  const index = new Map(order.map((identity, i) => [identity, i]))
  const environmentKeys = [...new Set(order.map((identity) => identity.split('\u0000')[0] ?? ''))]
  const environmentIndex = new Map(environmentKeys.map((key, e) => [key, e]))
  const environments = environmentKeys.map((key): ReplayEnvironment => {
    const told = known?.environment(key) ?? null
    return { key, range: told?.range ?? rangeOf(ranges.get(key) ?? [0, 1]), tools: told?.tools ?? [] }
  })
  const declared = declaredFields(rollouts, identityOf)
  const tasks = order.map((identity): ReplayTask => {
    const [environment = '', key = ''] = identity.split('\u0000')
    const told = known?.task(environment, key) ?? NOTHING
    const checks = [...told.checks, ...declared.of(identity)]
    return { ...told, environment: environmentIndex.get(environment) ?? -1, key, checks }
  })
  const least = Math.min(LEAST_GROUPS, LEAST_SHARE * order.length)
  const sizes: number[] = []
  const rungs = [...models.keys()]
    .map((model, m): Rung => {
      const groups: (ReplayGroup | null)[] = new Array(order.length).fill(null)
      for (const [identity, kept] of repeated[m]!) {
        const i = index.get(identity)!
        groups[i] = groupOf(kept, environments[tasks[i]!.environment]!.range)
        sizes.push(kept.length)
      }
      const { sum, count } = sums.get(model)!
      return { model, meanReward: sum / count, groups, offered: repeated[m]!.length }
    })
    .filter(({ offered }) => offered > 0 && offered >= least)
    .sort(given === undefined ? byReward : (a, b) => given.indexOf(a.model) - given.indexOf(b.model))
  return {
    source,
    environments,
    tasks,
    rungs,
    groupSize: medianOf(sizes),
    hasTools: rollouts.some(({ tools }) => tools.length > 0),
    hasStatic: tasks.some((t) => t.text !== '' || t.tools.length + t.state.length + t.checks.length > 0),
    declaredFields: declared.names,
    rollouts: rollouts.length,
    leftOut,
    repeatedGroups: sizes.length,
    repeatedModels: repeated.filter((groups) => groups.length > 0).length,
  }
}
