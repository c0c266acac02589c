/**
 * What a scheduler is given of a ladder: keys, ranges, what was known before any rollout, and the tools of rollouts that it was told.
 * Invariant: nothing of a group that was not told. Where a task set names a task's tools, those stand; else they are learnt.
 */
import type { Group } from '@/lib/testbed/group'
import type { ReplayLadder } from '@/lib/testbed/replay/ladder'
import type { Rollout } from '@/lib/testbed/rollout'
import type { TaskSet } from '@/lib/testbed/task-set'

/** Tools by task that were seen in told rollouts. */
export type SeenTools = ReadonlyMap<number, ReadonlySet<string>>

export function replaySet(ladder: ReplayLadder, seen: SeenTools): TaskSet {
  const offered = ladder.environments.map(() => new Set<string>())
  for (const [task, tools] of seen) for (const tool of tools) offered[ladder.tasks[task]!.environment]!.add(tool)
  return {
    name: ladder.source,
    environments: ladder.environments.map(({ key, range, tools }, e) => ({
      key,
      name: key,
      tools: [
        ...tools,
        ...[...offered[e]!]
          .filter((name) => tools.every((tool) => tool.name !== name))
          .sort()
          .map((name) => ({ name, description: '', role: null, parameters: [] })),
      ],
      state: [],
      verifier: { kind: '', checks: [] },
      rewardRange: [range[0], range[1]],
      horizon: null,
    })),
    tasks: ladder.tasks.map(({ environment, key, text, tools, state, checks }, task) => ({
      environment: ladder.environments[environment]!.key,
      key,
      text,
      tools: tools.length > 0 ? [...tools] : [...(seen.get(task) ?? [])].sort(),
      state: [...state],
      checks: [...checks],
    })),
  }
}

/** A group of the ladder as a trainer would report it. */
export function toldGroup(ladder: ReplayLadder, rung: number, task: number): Group {
  const group = ladder.rungs[rung]!.groups[task]
  if (group === null || group === undefined) throw new RangeError(`Rung ${rung} has no group of task ${task}.`)
  const rollouts = group.rewards.map(
    (reward, k): Rollout => ({
      status: 'ok',
      reward,
      actions: [],
      formatMet: null,
      tools: [...group.tools],
      turns: group.turns[k] ?? 0,
      tokens: 0,
      seconds: 0,
      error: null,
    }),
  )
  return { task, rollouts }
}
