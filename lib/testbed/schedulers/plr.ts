/**
 * Prioritised level replay: half of the slots visit unseen tasks, the others replay seen ones by rank of their last variance, mixed with staleness.
 * Owns: last variance and last step a task.
 * Rule, after PLR (arXiv 2110.02439): weight (1 - rho) rank ^ (-1 / beta) + rho staleness, each as a share; the score of a level is its group's variance.
 * Tuned on seeds 1 to 6 of `small` and 1 to 3 of `default` by area over uniform's times 1,000: beta of .1, .3, 1, 1.5, 2, 4, rho of .1, .3, .5 and new of
 * .2, .5, .8 gave -6 to 28; beta 1, rho .3, new .5 are best (.3, .3, .5 gave 10).
 */
import { trustedRewards, varianceOf } from '@/lib/testbed/group'
import { type Random, shuffle } from '@/lib/testbed/random'
import type { Scheduler, SchedulerInput } from '@/lib/testbed/scheduler'
import { largest } from '@/lib/testbed/schedulers/rank'

export const PLR = {
  /** beta of rank ^ (-1 / beta) */
  temperature: 1,
  /** rho: share of the weight that goes by staleness */
  staleness: 0.3,
  /** probability that a slot visits an unseen task while there are any */
  fresh: 0.5,
}

function draw(weights: Float64Array, total: number, random: Random): number {
  let left = random() * total
  let last = -1
  for (let i = 0; i < weights.length; i++) {
    if (weights[i] === 0) continue
    last = i
    left -= weights[i]!
    if (left <= 0) return i
  }
  return last
}

function offersNew(unseen: readonly number[], open?: Uint8Array): boolean {
  const next = unseen.at(-1)
  return next !== undefined && (open === undefined || open[next] === 1)
}

export function plr(input: SchedulerInput, options = PLR): Scheduler {
  const tasks = input.environmentOf.length
  const value = new Float64Array(tasks).fill(-1)
  const visited = new Float64Array(tasks)
  let unseen = shuffle([...Array(tasks).keys()], input.random)

  const replayWeights = (step: number, open?: Uint8Array) => {
    const order = largest(value, tasks, open).filter((task) => value[task]! >= 0)
    const weights = new Float64Array(tasks)
    let ranks = 0
    let ages = 0
    for (const [place, task] of order.entries()) {
      ranks += (1 / (place + 1)) ** (1 / options.temperature)
      ages += step - visited[task]!
    }
    for (const [place, task] of order.entries()) {
      const rank = (1 / (place + 1)) ** (1 / options.temperature) / ranks
      const age = ages > 0 ? (step - visited[task]!) / ages : 0
      weights[task] = (1 - options.staleness) * rank + options.staleness * age
    }
    return weights
  }

  return {
    next: (step, count, open) => {
      const weights = replayWeights(step, open)
      // Closed tasks keep their turn behind the ones that are on offer.
      if (open !== undefined) unseen = [...unseen].sort((a, b) => open[a]! - open[b]!)
      const chosen: number[] = []
      let total = weights.reduce((a, b) => a + b, 0)
      while (chosen.length < Math.min(count, tasks)) {
        // Rounding may leave a crumb of mass after the last seen task was drawn: then only unseen ones are left.
        const replay = total > 1e-12 ? draw(weights, total, input.random) : -1
        const fresh = offersNew(unseen, open) && (replay < 0 || input.random() < options.fresh)
        const task = fresh ? unseen.pop()! : replay
        if (task < 0) break
        if (!fresh) {
          total -= weights[task]!
          weights[task] = 0
        }
        chosen.push(task)
      }
      return chosen
    },
    observe: (step, groups) => {
      for (const group of groups) {
        const variance = varianceOf(trustedRewards(group, input.ranges[input.environmentOf[group.task]!]!))
        value[group.task] = variance ?? 0
        visited[group.task] = step
      }
    },
  }
}
