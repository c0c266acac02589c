/**
 * Choosing the best of a score list.
 * Owns: ranking with ties by index, the cap an environment, shuffled epochs, the `open` mask. Must never know: where scores come from.
 * Invariant: distinct tasks; a cap is relaxed rather than a short list given.
 */
import { type Random, shuffle } from '@/lib/testbed/random'

/** Indices of the `count` largest scores, largest first; equal scores by index. NaN is refused. */
export function largest(scores: Float64Array, count: number, open?: Uint8Array): number[] {
  return ranked(scores, open).slice(0, count)
}

function ranked(scores: Float64Array, open?: Uint8Array): number[] {
  const bad = scores.findIndex((score) => Number.isNaN(score))
  if (bad >= 0) throw new RangeError(`the score of task ${bad} is not a number`)
  return openTasks(scores.length, open).sort((a, b) => scores[b]! - scores[a]! || a - b)
}

function openTasks(tasks: number, open?: Uint8Array): number[] {
  const all = [...Array(tasks).keys()]
  return open === undefined ? all : all.filter((task) => open[task] === 1)
}

/** Environments that have a task on offer. */
export function openEnvironments(environmentOf: Int32Array, environments: number, open?: Uint8Array): number {
  if (open === undefined) return environments
  return new Set(environmentOf.filter((_, task) => open[task] === 1)).size
}

/** As `largest`, at most `cap` tasks an environment, skipping those in `taken`; what the cap leaves short is filled without it. */
export function largestCapped(
  scores: Float64Array,
  count: number,
  environmentOf: Int32Array,
  cap: number,
  taken: ReadonlySet<number> = new Set(),
  open?: Uint8Array,
): number[] {
  const used = new Map<number, number>()
  for (const task of taken) used.set(environmentOf[task]!, (used.get(environmentOf[task]!) ?? 0) + 1)
  const chosen: number[] = []
  const spare: number[] = []
  for (const task of ranked(scores, open)) {
    if (chosen.length === count) break
    if (taken.has(task)) continue
    const environment = environmentOf[task]!
    const already = used.get(environment) ?? 0
    if (already >= cap) {
      spare.push(task)
      continue
    }
    used.set(environment, already + 1)
    chosen.push(task)
  }
  return chosen.concat(spare.slice(0, count - chosen.length))
}

/** Tasks in shuffled epochs: each comes once before any comes again. */
export class ShuffledEpochs {
  private left: number[] = []

  constructor(
    private readonly tasks: number,
    private readonly random: Random,
  ) {}

  /** `count` distinct tasks, fewer only where there are fewer. Where not all are open there are no epochs: a draw among the open ones. */
  take(count: number, open?: Uint8Array): number[] {
    if (open !== undefined) return shuffle(openTasks(this.tasks, open), this.random).slice(0, count)
    const chosen = new Set<number>()
    const again: number[] = []
    while (chosen.size < Math.min(count, this.tasks)) {
      if (this.left.length === 0) this.left = shuffle([...Array(this.tasks).keys()], this.random)
      const task = this.left.pop()!
      if (chosen.has(task)) again.push(task)
      else chosen.add(task)
    }
    this.left.push(...again.reverse())
    return [...chosen]
  }
}
