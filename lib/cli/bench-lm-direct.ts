/**
 * Schedulers of the sources beside the trainer, without a server: to try a variant of the engine without a build, and the
 * ablations of `bench:training` on the language model.
 * Owns: the lines between train.py and a scheduler. Must never know: the model. Invariant: a scheduler sees what a server would.
 */
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { z } from 'zod'
import { armsNamed } from '@/lib/testbed/arms'
import type { Group } from '@/lib/testbed/group'
import { seededRandom } from '@/lib/testbed/random'
import type { Rollout } from '@/lib/testbed/rollout'
import { type Scheduler, schedulerInput, type Truth } from '@/lib/testbed/scheduler'
import type { TaskSet } from '@/lib/testbed/task-set'

const registered = z.object({
  name: z.string(),
  environments: z.array(
    z.object({
      key: z.string(),
      tools: z.array(z.object({ name: z.string() })),
      verifier: z.object({ kind: z.string() }),
      rewardRange: z.tuple([z.number(), z.number()]),
      horizon: z.number().int(),
    }),
  ),
  tasks: z.array(z.object({ environment: z.string(), key: z.string(), tools: z.array(z.string()) })),
})
const line = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('register'), taskSet: registered }),
  z.object({ kind: z.literal('ask'), step: z.number().int(), size: z.number().int().positive() }),
  z.object({
    kind: z.literal('told'),
    step: z.number().int(),
    tasks: z.array(z.number().int()),
    rewards: z.array(z.array(z.number())),
  }),
  z.looseObject({ kind: z.literal('result') }),
])

/** groups a step, rollouts a group */
export interface Sizes {
  groups: number
  groupSize: number
}

/** Answers a trainer's lines until it tells its result, which is what is given. Null where it ended without one. */
export async function answerTrainer(
  from: Readable,
  to: Writable,
  plan: Sizes & { arm: string; world: number },
): Promise<unknown> {
  let scheduler: Scheduler | null = null
  let result: unknown = null
  for await (const text of createInterface({ input: from })) {
    const said = line.parse(JSON.parse(text))
    if (said.kind === 'register') scheduler = schedulerOf(plan, taskSetOf(said.taskSet))
    else if (said.kind === 'ask') to.write(`${JSON.stringify(scheduler?.next(said.step, said.size) ?? [])}\n`)
    else if (said.kind === 'told') scheduler?.observe(said.step, groupsOf(said.tasks, said.rewards))
    else result = said
  }
  return result
}

function schedulerOf(
  { arm, world, groupSize, groups }: Sizes & { arm: string; world: number },
  set: TaskSet,
): Scheduler {
  const [found] = armsNamed(arm)
  if (found === undefined || found.kind === 'oracle') throw new RangeError(`${arm} needs the testbed's own policy`)
  const input = schedulerInput(set, { batchSize: groups, groupSize }, seededRandom(world), world)
  return found.make(input, NO_TRUTH)
}

/** Only the testbed's oracles look at it, and they are refused above. */
const NO_TRUTH: Truth = new Proxy({} as Truth, {
  get: () => {
    throw new RangeError('a language model tells no scheduler the truth')
  },
})

function taskSetOf({ name, environments, tasks }: z.infer<typeof registered>): TaskSet {
  return {
    name,
    environments: environments.map((environment) => ({
      ...environment,
      name: environment.key,
      tools: environment.tools.map((tool) => ({ name: tool.name, description: '', role: null, parameters: [] })),
      state: [],
      verifier: { ...environment.verifier, checks: [] },
    })),
    tasks: tasks.map((task) => ({ ...task, text: '', state: [], checks: [] })),
  }
}

function groupsOf(tasks: readonly number[], rewards: readonly (readonly number[])[]): Group[] {
  return tasks.map((task, i) => ({ task, rollouts: (rewards[i] ?? []).map(rolloutOf) }))
}

function rolloutOf(reward: number): Rollout {
  const nothing = { actions: [], formatMet: null, tools: [], error: null }
  return { status: 'ok', reward, turns: 1, tokens: 1, seconds: 1, ...nothing }
}
