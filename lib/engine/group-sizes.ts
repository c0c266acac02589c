/**
 * Adaptive group sizes at equal budget: how many rollouts each scored pick gets of scored picks times group size.
 * Owns: what one more step of rollouts is expected to teach, and the greedy split. Must never know: names, quotas.
 * Signal of n binary rewards of success probability q: E[population deviation of n] (1 - q)^headroom, over the uncertainty of q: the
 * length of GRPO's normalised step, with the headroom of scores. Concave in n, so taking the largest next gain each time is the optimum.
 * Invariants: sizes are whole steps from one step to twice the group size; their sum is the budget, or less than one step
 * under it. Uniform slots and pins keep the group size: one is the honest sample, the other a person's wish.
 * A step is the largest even divisor of the group size up to a quarter of it, 2 at least: 2 for 8, 4 for 16. Trainers that pair or shard
 * rollouts can take that. Cost: O(picks * steps * group size).
 * Measured (world small, single stage, seeds 1 to 6, against fixed sizes): steps -.2 ± 2.0, area +.001 ± .003, worst tenth -.009 ± .007: it
 * does not help, so it is off by default. With one model +2.5 ± 1.4 steps, and there: P(informative) +2.8 ± 1.0, that times the predicted
 * variance +2.5 ± 1.7, uniform slots sized, too +.5 ± 2.4, without headroom +1.3 ± 1.0, but then nearly all sizes stay as they are.
 */
import { createHeap, heapLower, heapPop, heapTop } from './heap'
import type { Reading } from './ladder'
import { expect } from './nodes'
import type { InForce } from './overrides'
import type { Ground, Proposal } from './proposal'
import type { Chosen } from './select'

/** above this many rollouts the deviation is taken from its first two moments */
const EXACT_UP_TO = 64
const RATIO = { low: 0.02, high: 1.5 }

/** Rollouts by which group sizes differ, even. */
export function sizeStep(groupSize: number): number {
  for (let step = 2 * Math.floor(groupSize / 8); step > 2; step -= 2) if (groupSize % step === 0) return step
  return 2
}

/** Expected population standard deviation of n binary rewards of success probability q, 0 to 0.5. */
export function expectedDeviation(q: number, n: number): number {
  if (n < 2) return 0
  const variance = q * (1 - q)
  if (n > EXACT_UP_TO) return Math.sqrt((variance * (n - 1)) / n)
  let sum = 0
  let ways = 1
  for (let k = 1; k < n; k++) {
    ways = (ways * (n - k + 1)) / k
    sum += ways * q ** k * (1 - q) ** (n - k) * Math.sqrt(k * (n - k))
  }
  return sum / n
}

/** What n rollouts of task i are expected to teach. The logit's mean is taken back from the mean success (probit approximation). */
function signalOf(reading: Reading, headroom: number, i: number): (n: number) => number {
  const alive = reading.alive[i]!
  const solved = alive > 0 ? reading.ability[i]! / alive : reading.ability[i]!
  const q = Math.min(1 - 1e-6, Math.max(1e-6, solved))
  const deviation = reading.deviation[i]!
  const mean = Math.log(q / (1 - q)) * Math.sqrt(1 + (Math.PI / 8) * Math.min(3, deviation) ** 2)
  const binomial = alive * expect(mean, deviation, (p) => p * (1 - p))
  const ratio = binomial > 0 ? reading.predictedVariance[i]! / binomial : 1
  const scale = alive * Math.sqrt(Math.min(RATIO.high, Math.max(RATIO.low, ratio)))
  return (n) => scale * expect(mean, deviation, (p) => expectedDeviation(p, n) * (1 - p) ** headroom)
}

/** Splits the budget over the tasks, all of which differ; sizes in their order. */
function split(
  tasks: readonly number[],
  groupSize: number,
  step: number,
  gainOf: (task: number) => (n: number) => number,
  tie: Float64Array,
): Map<number, number> {
  const most = Math.floor((2 * groupSize) / step) * step
  const size = new Map(tasks.map((i) => [i, step]))
  const signals = new Map(tasks.map((i) => [i, gainOf(i)]))
  const key = new Float64Array(tie.length)
  const next = (i: number): number => {
    const n = size.get(i)!
    const signal = signals.get(i)!
    return signal(n + step) - signal(n)
  }
  for (const i of tasks) key[i] = next(i)
  const heap = createHeap(Int32Array.from(tasks), key, tie)
  let left = tasks.length * groupSize - tasks.length * step
  while (left >= step && heap.length > 0) {
    const i = heapTop(heap)
    const n = size.get(i)! + step
    size.set(i, n)
    left -= step
    if (n + step > most) heapPop(heap)
    else {
      // a rounding error must not make the heap's keys rise
      key[i] = Math.min(key[i]!, next(i))
      heapLower(heap)
    }
  }
  return size
}

/** Whether sizes can differ at all. */
const canDiffer = (groupSize: number) => groupSize > 2

/** Rollouts of each chosen task, in the order given. */
export function groupSizesOf(
  ground: Ground,
  now: InForce,
  reading: Reading,
  proposal: Proposal,
  chosen: readonly Chosen[],
): number[] {
  const { groupSize, state } = ground
  const adaptive = now.groupSizing === 'adaptive' && state.config.scheduler === 'envsched' && canDiffer(groupSize)
  if (!adaptive) return chosen.map(() => groupSize)
  const { worth } = proposal.input.scores
  const scored = chosen.filter(({ slot }) => slot === 'score').map(({ task }) => task)
  const gainOf = (i: number) => {
    const signal = signalOf(reading, now.weights.headroom, i)
    return (n: number) => worth[i]! * signal(n)
  }
  const sizes = split(scored, groupSize, sizeStep(groupSize), gainOf, proposal.input.tie)
  return chosen.map(({ task, slot }) => (slot === 'score' ? (sizes.get(task) ?? groupSize) : groupSize))
}

/** What kept the budget from being used up, if anything. */
export function sizeNotes(ground: Ground, now: InForce, chosen: readonly Chosen[], sizes: readonly number[]): string[] {
  if (now.groupSizing !== 'adaptive') return []
  const { groupSize } = ground
  if (!canDiffer(groupSize)) return [`Groups of ${groupSize} keep their size: adaptive sizes need groups of 3 or more.`]
  const budget = chosen.length * groupSize
  const used = sizes.reduce((sum, size) => sum + size, 0)
  if (used === budget) return []
  return [`${used} of ${budget} rollouts are asked for: adaptive group sizes go by ${sizeStep(groupSize)}.`]
}
