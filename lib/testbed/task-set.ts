/**
 * What a trainer would register of a world, and all that a scheduler may see of it.
 * Owns: the shape of `POST /task-sets` (structural, without the contract layer) and its making.
 * Must never tell: skills, broken tasks, noise, which environment is troubled. Invariant: `tools`, `state` and `checks` of
 * a task follow its chain, one entry a step, repeats kept.
 */
import type { ToolRole } from '@/lib/testbed/vocabulary'
import type { World } from '@/lib/testbed/world'

export interface TaskSetTool {
  name: string
  description: string
  role: ToolRole
  parameters: string[]
}

export interface TaskSetEnvironment {
  key: string
  name: string
  tools: TaskSetTool[]
  state: string[]
  verifier: { kind: string; checks: string[] }
  rewardRange: [number, number]
  horizon: number
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

export function taskSetOf(world: World): TaskSet {
  const stateKey = (goal: number) => `${world.goals[goal]!.object}s`
  const check = (goal: number) => `${world.goals[goal]!.object}_${world.acts[world.goals[goal]!.act]!.done}`
  return {
    name: `testbed ${world.name} ${world.seed}`,
    environments: world.environments.map((environment) => ({
      key: environment.key,
      name: environment.name,
      tools: environment.tools.map((tool) => ({
        name: tool.name,
        description: tool.description,
        role: world.acts[tool.act]!.role,
        parameters: tool.parameters,
      })),
      state: environment.goals.map(stateKey),
      verifier: {
        kind: environment.graded ? 'state-share' : 'state-match',
        checks: environment.goals.map(check),
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
        tools: Array.from(task.chain, (local) => environment.tools[environment.correct[local]!]!.name),
        state: goals.map(stateKey),
        checks: goals.map(check),
      }
    }),
  }
}
