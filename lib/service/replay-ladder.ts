/**
 * A run's stored groups as a ladder: its policy versions in order, joined until one holds groups enough to choose among.
 * Owns: which groups count (trusted rewards, two or more, none that came late) and the joining. Must never know: schedulers.
 * Invariant: rewards are those that entered the statistics; of a task with several groups in one rung the first stands.
 */

import { valuesOfGroups } from '@/lib/store/rollout'
import { buildLadder, type KnownSet, type ReplayLadder, type ReplayRollout } from '@/lib/testbed/replay/ladder'
import { type Catalog, environmentOf } from './catalog'
import type { RunHistory } from './run-history'
import type { Runtime } from './runtime'

/** Groups that a rung holds at least (or this share of the task set): fewer leave nothing to choose. */
const RUNG = { groups: 40, share: 0.4 }
const SLICE = 2000

interface Usable {
  number: number
  task: number
  policyVersion: number
}

/** Policy versions joined in order; a rest that is too small goes to the rung before. */
export function joinVersions(
  sizes: readonly (readonly [version: number, groups: number])[],
  least: number,
): number[][] {
  const rungs: number[][] = []
  let open: number[] = []
  let held = 0
  for (const [version, groups] of sizes) {
    open.push(version)
    held += groups
    if (held < least) continue
    rungs.push(open)
    open = []
    held = 0
  }
  const last = rungs.at(-1)
  if (last !== undefined) last.push(...open)
  else if (open.length > 0) rungs.push(open)
  return rungs
}

function knownSet(catalog: Catalog): KnownSet {
  const { environments, tasks } = catalog.set
  const byEnvironment = new Map(environments.map((environment) => [environment.key, environment]))
  return {
    task: (environment, key) => {
      const task = tasks[catalog.byKeys.get(`${environment}\u0000${key}`) ?? -1]
      if (task === undefined) return null
      return { text: task.text ?? '', tools: task.tools, state: task.state, checks: task.checks }
    },
    environment: (key) => {
      const environment = byEnvironment.get(key)
      if (environment === undefined) return null
      const tools = environment.tools.map((tool) => ({
        name: tool.name,
        role: tool.role === 'other' ? null : tool.role,
        description: tool.description ?? '',
        parameters: [...tool.parameters],
      }))
      return { tools, range: environment.rewardRange }
    },
  }
}

const rungName = (versions: readonly number[]) => {
  const [first, last] = [versions[0] ?? 0, versions.at(-1) ?? 0]
  return first === last ? `policy ${first}` : `policies ${first} to ${last}`
}

const usableGroups = (history: RunHistory) =>
  [...history.groups.values()].filter(({ trusted, late }) => trusted >= 2 && late === false)

const leastOf = (groups: readonly { task: number }[]) =>
  Math.min(RUNG.groups, RUNG.share * new Set(groups.map(({ task }) => task)).size)

/** The ladder, from rewards as they are stored. Cost: one read of all rewards, in slices. */
export async function replayLadderOf(
  runtime: Runtime,
  run: string,
  catalog: Catalog,
  history: RunHistory,
): Promise<ReplayLadder> {
  const usable: Usable[] = usableGroups(history)
  const counts = new Map<number, number>()
  for (const { policyVersion } of usable) counts.set(policyVersion, (counts.get(policyVersion) ?? 0) + 1)
  const sizes = [...counts].sort(([a], [b]) => a - b)
  const rungs = joinVersions(sizes, leastOf(usable))
  const rungOf = new Map(rungs.flatMap((versions) => versions.map((version) => [version, rungName(versions)] as const)))
  const taken = new Set<string>()
  const rollouts: ReplayRollout[] = []
  for (let at = 0; at < usable.length; at += SLICE) {
    const slice = usable.slice(at, at + SLICE)
    const values = await valuesOfGroups(
      runtime.database.db,
      run,
      slice.map(({ number }) => number),
    )
    for (const { number, task, policyVersion } of slice) {
      const model = rungOf.get(policyVersion) ?? ''
      if (taken.has(`${model} ${task}`)) continue
      taken.add(`${model} ${task}`)
      const environment = catalog.environments[environmentOf(catalog, task)]?.key ?? ''
      const key = catalog.tasks[task]?.key ?? ''
      for (const [trial, reward] of (values.get(number) ?? []).entries())
        rollouts.push({
          environment,
          task: key,
          model,
          trial,
          reward,
          failed: false,
          turns: null,
          tools: [],
          fields: {},
        })
    }
  }
  return buildLadder('history', rollouts, { order: rungs.map(rungName), known: knownSet(catalog) })
}

/** What the history lacks for a replay, in one sentence; null where it can be replayed. */
export function replayLack(ladder: ReplayLadder, history: RunHistory): string | null {
  const { repeatedGroups, rungs } = ladder
  if (repeatedGroups === 0)
    return 'No task has a group of two or more trusted rewards: report several rollouts of each.'
  if (rungs.length < 2) return tooFewRungs(history)
  const choice = Math.max(...rungs.map(({ offered }) => offered))
  return choice < 8 ? `No policy has more than ${choice} groups to choose among: 8 are needed at least.` : null
}

function tooFewRungs(history: RunHistory): string {
  const usable = usableGroups(history)
  const versions = new Set(usable.map(({ policyVersion }) => policyVersion)).size
  const all = new Set([...history.groups.values()].map(({ policyVersion }) => policyVersion)).size
  if (versions >= 2)
    return `${versions} policy versions have ${usable.length} groups of two or more trusted rewards: a replay needs about ${Math.ceil(leastOf(usable))} of each of two.`
  const which = all > 1 ? `one policy version alone, of ${all}` : 'one policy version'
  return `All groups of two or more trusted rewards are of ${which}: a replay needs a policy that moves, or several models.`
}
