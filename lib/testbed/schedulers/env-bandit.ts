/**
 * Environment bandit, after SEC and DUMP: environments are arms, their mean reward variance the value, tasks inside drawn uniformly.
 * Owns: decayed counts by environment. Constants: decay .95 a step, prior .05 over .5, bonus .1 / sqrt(1 + n), two tasks an environment.
 */
import { trustedRewards, varianceOf } from '@/lib/testbed/group'
import { shuffle } from '@/lib/testbed/random'
import type { Scheduler, SchedulerInput } from '@/lib/testbed/scheduler'
import { largest } from '@/lib/testbed/schedulers/rank'

const DECAY = 0.95
const BONUS = 0.1
const PER_ENVIRONMENT = 2

export function envBandit(input: SchedulerInput): Scheduler {
  const { environmentOf, environments, random } = input
  const count = new Float64Array(environments)
  const sum = new Float64Array(environments)
  const members: number[][] = Array.from({ length: environments }, () => [])
  for (const [task, environment] of environmentOf.entries()) members[environment]!.push(task)

  const value = (e: number) => (sum[e]! + 0.05) / (count[e]! + 0.5) + BONUS / Math.sqrt(1 + count[e]!) + 1e-3 * random()

  return {
    next: (_step, wanted, open) => {
      const order = largest(
        Float64Array.from({ length: environments }, (_, e) => value(e)),
        environments,
      )
      const offered = open === undefined ? members : members.map((list) => list.filter((task) => open[task] === 1))
      const piles = order.map((e) => shuffle([...offered[e]!], random))
      const chosen: number[] = []
      const target = Math.min(
        wanted,
        piles.reduce((sum, pile) => sum + pile.length, 0),
      )
      for (let from = 0; chosen.length < target; from += PER_ENVIRONMENT)
        for (const pile of piles)
          chosen.push(...pile.slice(from, from + PER_ENVIRONMENT).slice(0, target - chosen.length))
      return chosen
    },
    observe: (_step, groups) => {
      for (let e = 0; e < environments; e++) {
        count[e] = count[e]! * DECAY
        sum[e] = sum[e]! * DECAY
      }
      for (const group of groups) {
        const e = environmentOf[group.task]!
        const variance = varianceOf(trustedRewards(group, input.ranges[e]!))
        if (variance === null) continue
        count[e] = count[e]! + 1
        sum[e] = sum[e]! + variance
      }
    },
  }
}
