/** Rollouts for replay tests: `rows` groups given as "environment task model rewards", a small made-up history with structure. */
import { seededRandom } from '@/lib/testbed/random'
import type { ReplayRollout } from '@/lib/testbed/replay/ladder'

export function rolloutsOf(
  environment: string,
  task: string,
  model: string,
  rewards: readonly (number | null)[],
  more: Partial<ReplayRollout> = {},
): ReplayRollout[] {
  return rewards.map((reward, trial) => ({
    environment,
    task,
    model,
    trial,
    reward,
    failed: false,
    turns: 1,
    tools: [],
    fields: {},
    ...more,
  }))
}

/**
 * `environments` x `tasks` tasks, `models` that get better, groups of `size`: in every environment the first half of the tasks is
 * near one half for all models, the others are always solved or never.
 */
export function madeUpHistory(
  { environments = 6, tasks = 20, models = 4, size = 4, seed = 1 } = {},
  tools: (task: number) => string[] = () => [],
): ReplayRollout[] {
  const random = seededRandom(seed)
  const rows: ReplayRollout[] = []
  for (let m = 0; m < models; m++)
    for (let e = 0; e < environments; e++)
      for (let t = 0; t < tasks; t++) {
        const chance = t < tasks / 2 ? 0.35 + 0.08 * m : t % 2 === 0 ? 0 : 0.99 + 0.002 * m
        const rewards = Array.from({ length: size }, () => (random() < chance ? 1 : 0))
        rows.push(...rolloutsOf(`env ${e}`, `task ${t}`, `model ${m}`, rewards, { tools: tools(t) }))
      }
  return rows
}
