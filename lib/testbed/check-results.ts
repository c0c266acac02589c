/**
 * The checks of a rollout as its verifier reports them: one a step, under the name of the task's check, and one of the answer
 * format.
 * Must never know: schedulers. Invariant: checks and reward never contradict. All or nothing: reward is full exactly when
 * all checks are 1; graded: it is the mean of the steps' checks, and 0 where the format was missed. A verifier
 * that reports the opposite reward reports opposite checks, and one that never pays never finds the end state.
 */
import type { Rollout } from '@/lib/testbed/rollout'
import { checkName } from '@/lib/testbed/task-set'
import { callName, type World, type WorldEnvironment, type WorldTask } from '@/lib/testbed/world'

export interface CheckResult {
  /** begins with the name in the task's list of checks */
  name: string
  /** 1 passed, 0 not */
  value: number
  message: string
}

/** Empty where no verifier ran. */
export function checkResults(world: World, index: number, rollout: Rollout): CheckResult[] {
  if (rollout.reward === null) return []
  const task = world.tasks[index]!
  const environment = world.environments[task.environment]!
  const found = stateChecks(world, environment, task, rollout)
  if (environment.contract !== null)
    found.push(
      rollout.formatMet === true
        ? { name: FORMAT, value: 1, message: 'the answer is in <final> tags' }
        : { name: FORMAT, value: 0, message: 'expected <final> tags around the answer' },
    )
  return asReported(found, task, environment, rollout)
}

const FORMAT = 'answer format'

/** One a step of the chain: the task's check, then what of it. */
function stateChecks(world: World, environment: WorldEnvironment, task: WorldTask, rollout: Rollout): CheckResult[] {
  const names = new Map<string, number>()
  return Array.from(task.chain, (local, k) => {
    const goal = world.goals[environment.goals[local]!]!
    const what = `${goal.object} ${world.acts[goal.act]!.done}`
    const name = `${checkName(goal.area)}: ${what}`
    const times = (names.get(name) ?? 0) + 1
    names.set(name, times)
    const called = rollout.actions[k]
    const correct = environment.correct[local]!
    const message =
      called === correct
        ? `${what} as asked`
        : called === undefined
          ? 'not reached'
          : `expected ${callName(environment, local, correct)}, found ${callName(environment, local, called)}`
    return { name: times === 1 ? name : `${name}, ${times}`, value: called === correct ? 1 : 0, message }
  })
}

/** What was found, turned to what the verifier says of it. */
function asReported(found: CheckResult[], task: WorldTask, environment: WorldEnvironment, rollout: Rollout) {
  const [low, high] = environment.rewardRange
  const reported = (rollout.reward! - low) / (high - low)
  const isFlipped = Math.abs(reported - shareOf(task, environment, rollout)) > 1e-9
  if (!isFlipped) {
    if (!task.broken) return found
    return found.map((check) => ({ ...check, value: 0, message: 'the expected end state was not found' }))
  }
  return found.map((check) => {
    const value = reported > 1 - 1e-9 ? 1 : reported < 1e-9 ? 0 : check.name === FORMAT ? check.value : 1 - check.value
    return { ...check, value, message: value === 1 ? 'reported as done' : 'reported as not done' }
  })
}

/** The share that an honest verifier pays. */
function shareOf(task: WorldTask, environment: WorldEnvironment, rollout: Rollout): number {
  if (task.broken || rollout.formatMet === false) return 0
  const { chain } = task
  const done = chain.filter((local, k) => rollout.actions[k] === environment.correct[local]).length
  return environment.graded ? done / chain.length : done === chain.length ? 1 : 0
}
