/**
 * Environment bandit: environments are arms, tasks inside one are drawn uniformly.
 * Rule after SEC: Q <- (1 - a) Q + a mean |A| of what was drawn, an undrawn arm keeps its Q, and each pick is a Boltzmann draw,
 * Q / temperature; or after DUMP: mean |A| plus sqrt(2 ln (N + 1) / (n + 1)) in place of Q. A floor mixes in uniform choice.
 * Tuned on seeds 1 to 6 of `small` and 1 to 3 of `default` by area over uniform's times 1,000: SEC with a of .1, .2, .35, .5, temperature of .1, .2, .4
 * and floor of 0, .1, .25 gave 10 to 42 (its own .5 and .2: 38); DUMP with bonus of .1, .3, 1, temperature of .05, .1, .2 and a of .2, .5
 * gave 18 to 44: a .5, temperature .1, its own, and bonus .3 are best.
 * |A| is the advantage normalised in its group, 0 in a group without variance. Must never know: tasks apart.
 */
import { trustedRewards } from '@/lib/testbed/group'
import { shuffle } from '@/lib/testbed/random'
import type { Scheduler, SchedulerInput } from '@/lib/testbed/scheduler'

export const ENV_BANDIT = {
  /** a: step of Q */
  step: 0.5,
  temperature: 0.1,
  /** probability that a pick's environment is drawn uniformly */
  floor: 0,
  /** factor of DUMP's bonus; 0 = SEC */
  bonus: 0.3,
}

/** Mean |reward - mean| / deviation, with the population deviation as GRPO has it; null below two rewards. */
function meanAdvantage(rewards: readonly number[]): number | null {
  if (rewards.length < 2) return null
  const mean = rewards.reduce((a, b) => a + b, 0) / rewards.length
  const deviation = Math.sqrt(rewards.reduce((sum, reward) => sum + (reward - mean) ** 2, 0) / rewards.length)
  if (!(deviation > 1e-9)) return 0
  return rewards.reduce((sum, reward) => sum + Math.abs(reward - mean), 0) / rewards.length / deviation
}

export function envBandit(input: SchedulerInput, options = ENV_BANDIT): Scheduler {
  const { environmentOf, environments, random } = input
  const value = new Float64Array(environments)
  const visits = new Float64Array(environments)
  let all = 0
  const members: number[][] = Array.from({ length: environments }, () => [])
  for (const [task, environment] of environmentOf.entries()) members[environment]!.push(task)

  const weights = (piles: readonly number[][]) => {
    const scores = value.map((q, e) => q + options.bonus * Math.sqrt((2 * Math.log(all + 1)) / (visits[e]! + 1)))
    const most = Math.max(...scores)
    return scores.map((score, e) => (piles[e]!.length === 0 ? 0 : Math.exp((score - most) / options.temperature)))
  }

  /** An environment that has tasks left: by weight, or uniformly as often as the floor says. */
  const draw = (weight: Float64Array, piles: readonly number[][]): number => {
    const flat = random() < options.floor
    const share = (e: number) => (flat ? (piles[e]!.length === 0 ? 0 : 1) : weight[e]!)
    let total = 0
    for (let e = 0; e < environments; e++) total += share(e)
    // Weights may all vanish beside the best environment's once that is used up.
    if (total === 0) return piles.findIndex((pile) => pile.length > 0)
    let left = random() * total
    let last = -1
    for (let e = 0; e < environments; e++) {
      if (share(e) === 0) continue
      last = e
      left -= share(e)
      if (left <= 0) break
    }
    return last
  }

  return {
    next: (_step, wanted, open) => {
      const offered = open === undefined ? members : members.map((list) => list.filter((task) => open[task] === 1))
      const piles = offered.map((list) => shuffle([...list], random))
      const weight = weights(piles)
      const chosen: number[] = []
      while (chosen.length < wanted) {
        const e = draw(weight, piles)
        if (e < 0) break
        chosen.push(piles[e]!.pop()!)
        if (piles[e]!.length === 0) weight[e] = 0
      }
      return chosen
    },
    observe: (_step, groups) => {
      const sum = new Float64Array(environments)
      const count = new Float64Array(environments)
      for (const group of groups) {
        const e = environmentOf[group.task]!
        const advantage = meanAdvantage(trustedRewards(group, input.ranges[e]!))
        if (advantage === null) continue
        sum[e] = sum[e]! + advantage
        count[e] = count[e]! + 1
      }
      for (let e = 0; e < environments; e++) {
        if (count[e] === 0) continue
        visits[e] = visits[e]! + count[e]!
        all += count[e]!
        value[e] = (1 - options.step) * value[e]! + options.step * (sum[e]! / count[e]!)
      }
    },
  }
}
