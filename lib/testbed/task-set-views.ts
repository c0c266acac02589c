/**
 * Ablations of what a scheduler sees: the same tasks and rollouts, with structure taken away or made meaningless.
 * Owns: the views. Invariant: keys, environments and their order stay, so that picks mean the same.
 */
import { mixSeed, seededRandom, shuffle } from '@/lib/testbed/random'
import type { TaskSet, TaskSetTask } from '@/lib/testbed/task-set'

/** No static structure at all, length included: neither tools nor state, checks or text. */
export function withoutStructure(set: TaskSet): TaskSet {
  return { ...set, tasks: set.tasks.map((task) => ({ ...task, text: '', tools: [], state: [], checks: [] })) }
}

/** Placebo: what tasks use is dealt anew among the tasks of their environment, so that structure is there and means nothing. */
export function placebo(set: TaskSet, seed: number): TaskSet {
  const random = seededRandom(mixSeed(seed, 7))
  const members = new Map<string, number[]>()
  for (const [index, task] of set.tasks.entries())
    members.set(task.environment, [...(members.get(task.environment) ?? []), index])
  const tasks: TaskSetTask[] = [...set.tasks]
  for (const indices of members.values()) {
    const dealt = shuffle([...indices], random)
    for (const [place, index] of indices.entries()) {
      const { text, tools, state, checks } = set.tasks[dealt[place]!]!
      tasks[index] = { ...set.tasks[index]!, text, tools, state, checks }
    }
  }
  return { ...set, tasks }
}

/** Cross placebo: tools, state and checks are named after their environment, so that no name is met in another (roles stay). */
export function privateNames(set: TaskSet): TaskSet {
  const code = new Map(set.environments.map((environment, i) => [environment.key, `x${i}`]))
  const rename = (environment: string, words: readonly string[]) =>
    words.map((word) => `${code.get(environment)}${word.replaceAll(/[^a-z]/g, '')}`)
  return {
    ...set,
    environments: set.environments.map((environment) => ({
      ...environment,
      tools: environment.tools.map((tool) => ({ ...tool, name: rename(environment.key, [tool.name])[0]! })),
    })),
    tasks: set.tasks.map((task) => ({
      ...task,
      tools: rename(task.environment, task.tools),
      state: rename(task.environment, task.state),
      checks: rename(task.environment, task.checks),
    })),
  }
}
