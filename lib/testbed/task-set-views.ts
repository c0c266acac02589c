/**
 * What a scheduler sees of a task set: the same tasks and rollouts, with structure taken away, made wrong or meaningless.
 * Owns: the views, of ablations and of worlds that tell too little or wrongly. Invariant: keys, environments and their order stay, so that picks mean the same.
 */
import { integerBelow, mixSeed, seededRandom, shuffle } from '@/lib/testbed/random'
import type { TaskSet, TaskSetTask } from '@/lib/testbed/task-set'

/** No static structure at all, length included: neither tools nor state, checks or text. */
export function withoutStructure(set: TaskSet): TaskSet {
  return { ...set, tasks: set.tasks.map((task) => ({ ...task, text: '', tools: [], state: [], checks: [] })) }
}

/** Each task's tools, state, checks and text are each left out with probability `share`, for themselves. */
export function withMissing(set: TaskSet, share: number, seed: number): TaskSet {
  const random = seededRandom(mixSeed(seed, 8))
  const told = <T>(value: T, nothing: T) => (random() < share ? nothing : value)
  return {
    ...set,
    tasks: set.tasks.map((task) => ({
      ...task,
      tools: told(task.tools, []),
      state: told(task.state, []),
      checks: told(task.checks, []),
      text: told(task.text, ''),
    })),
  }
}

/** Each named tool is, with probability `share`, another one of its environment; only a lone tool stays. */
export function withWrongTools(set: TaskSet, share: number, seed: number): TaskSet {
  const random = seededRandom(mixSeed(seed, 9))
  const offered = new Map(set.environments.map((environment) => [environment.key, environment.tools]))
  const another = (environment: string, name: string): string => {
    const others = (offered.get(environment) ?? []).filter((tool) => tool.name !== name)
    return others[integerBelow(random, others.length)]?.name ?? name
  }
  return {
    ...set,
    tasks: set.tasks.map((task) => ({
      ...task,
      tools: task.tools.map((name) => (random() < share ? another(task.environment, name) : name)),
    })),
  }
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
