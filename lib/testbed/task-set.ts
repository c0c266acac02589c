/**
 * What a trainer would register of a world, and all that a scheduler may see of it.
 * Owns: the shape of `POST /task-sets` (structural, without the contract layer) and its making.
 * Must never tell: skills, broken tasks, noise, which environment is troubled. Invariant: `tools` of a task
 * follow its chain, one entry a step, repeats kept; `state` and `checks` are sets, in the order of first use.
 */
import { withMissing, withWrongTools } from '@/lib/testbed/task-set-views'
import type { ToolRole } from '@/lib/testbed/vocabulary'
import type { World, WorldEnvironment, WorldTool } from '@/lib/testbed/world'

export interface TaskSetTool {
  name: string
  description: string
  role: ToolRole | null
  parameters: string[]
}

export interface TaskSetEnvironment {
  key: string
  name: string
  tools: TaskSetTool[]
  state: string[]
  verifier: { kind: string; checks: string[] }
  rewardRange: [number, number]
  horizon: number | null
}

export interface TaskSetTask {
  environment: string
  key: string
  text: string
  tools: string[]
  state: string[]
  checks: string[]
}

export interface TaskSet {
  name: string
  environments: TaskSetEnvironment[]
  tasks: TaskSetTask[]
}

/** What a verifier checks of one part of the state; tasks and rollouts name it alike. */
export const checkName = (area: string) => `${area} as expected`

/** Every call that is right for a sub-goal, then the tools that are right for none. */
function offeredTools(world: World, environment: WorldEnvironment): TaskSetTool[] {
  const offered = new Map<string, TaskSetTool>()
  const offer = (name: string, tool: WorldTool) => {
    if (offered.has(name)) return
    const description = `${name[0]!.toUpperCase()}${name.slice(1).replaceAll('_', ' ')}.`
    offered.set(name, { name, description, role: world.acts[tool.act]!.role, parameters: tool.parameters })
  }
  for (const [local, tool] of environment.correct.entries()) offer(environment.calls[local]!, environment.tools[tool]!)
  for (const tool of environment.tools) offer(tool.name, tool)
  return [...offered.values()]
}

/** The task set as this world tells it. */
export function taskSetOf(world: World): TaskSet {
  const { missing, wrong } = world.told
  let set = fullTaskSet(world)
  if (wrong > 0) set = withWrongTools(set, wrong, world.seed)
  if (missing > 0) set = withMissing(set, missing, world.seed)
  return set
}

function fullTaskSet(world: World): TaskSet {
  const areaOf = (goal: number) => world.goals[goal]!.area
  const checkOf = (goal: number) => checkName(areaOf(goal))
  return {
    name: `Tool environments (${world.name}, seed ${world.seed})`,
    environments: world.environments.map((environment) => ({
      key: environment.key,
      name: environment.name,
      tools: offeredTools(world, environment),
      state: [...new Set(environment.goals.map(areaOf))],
      verifier: {
        kind: environment.graded ? 'state-share' : 'state-match',
        checks: [...new Set(environment.goals.map(checkOf))],
      },
      rewardRange: environment.rewardRange,
      horizon: environment.horizon,
    })),
    tasks: world.tasks.map((task) => {
      const environment = world.environments[task.environment]!
      const goals = Array.from(task.chain, (local) => environment.goals[local]!)
      return {
        environment: environment.key,
        key: task.key,
        text: task.text,
        tools: Array.from(task.chain, (local) => environment.calls[local]!),
        state: [...new Set(goals.map(areaOf))],
        checks: [...new Set(goals.map(checkOf))],
      }
    }),
  }
}
