/**
 * The groups that a trainer's own log holds against those of the server, one by one.
 * Owns: reading a run's groups, and what counts as the same. Must never know: who trained.
 * Invariant: rewards, mean and unbiased variance of each group are compared, and none may be left over on either side.
 */
import type { RolloutGroup, RolloutGroups } from '@/lib/contract/rollout-group'
import { CommandError } from './arguments'
import { mean } from './bench-lm-measures'
import type { LmGroup, LmTraining } from './bench-lm-training'

const PAGE = 200
const TOLERANCE = 1e-9

type Server = { address: string; token: string }

/** All groups of a run, newest first. */
export async function readGroups(run: string, { address, token }: Server): Promise<RolloutGroup[]> {
  const read: RolloutGroup[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: string = `limit=${PAGE}${cursor === '' ? '' : `&cursor=${cursor}`}`
    const answer = await fetch(`${address}/api/v1/runs/${run}/groups?${query}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    if (!answer.ok) throw new CommandError(`The server answered ${answer.status} when asked for the groups of ${run}.`)
    const page = (await answer.json()) as RolloutGroups
    read.push(...page.items)
    cursor = page.next
  }
  return read
}

/** How many groups are the same. @throws CommandError that names the first that is not. */
export async function checkGroups({ arm, run, groups = [] }: LmTraining, server: Server): Promise<number> {
  if (run === null) return 0
  const [first] = differences(groups, await readGroups(run, server))
  if (first !== undefined) throw new CommandError(`The trainer's log and the server differ for ${arm}: ${first}.`)
  return groups.length
}

/** A sentence each; empty when trainer and server tell the same. */
export function differences(logged: readonly LmGroup[], held: readonly RolloutGroup[]): string[] {
  const left = new Map(held.map((group) => [nameOf(group), group]))
  const found = logged.flatMap((group) => {
    const name = `step ${group.step}, ${group.environment}, ${group.task}`
    const other = left.get(name)
    left.delete(name)
    return other === undefined ? [`the server has no group of ${name}`] : differenceOf(name, group.rewards, other)
  })
  return [...found, ...[...left.keys()].map((name) => `the log has no group of ${name}`)]
}

function nameOf({ policyVersion, task }: RolloutGroup): string {
  return `step ${policyVersion}, ${task.environment.key}, ${task.key}`
}

function differenceOf(name: string, rewards: readonly number[], { rollouts, result }: RolloutGroup): string[] {
  const sorted = (values: readonly (number | null)[]) => JSON.stringify([...values].sort())
  const own = mean(rewards)
  const variance = rewards.reduce((sum, reward) => sum + (reward - own) ** 2, 0) / (rewards.length - 1)
  const isNear = (a: number | null, b: number) => a !== null && Math.abs(a - b) < TOLERANCE
  if (sorted(rewards) !== sorted(rollouts.map(({ reward }) => reward))) return [`${name} has other rewards`]
  if (!isNear(result.mean, own)) return [`the mean of ${name} is ${result.mean}, not ${own}`]
  if (!isNear(result.variance, variance)) return [`the variance of ${name} is ${result.variance}, not ${variance}`]
  if (result.informative !== new Set(rewards).size > 1) return [`${name} is informative on one side only`]
  return []
}
