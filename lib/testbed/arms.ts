/**
 * The arms that a training bench can run, by the names of the JSON.
 * Owns: name, maker and how it trains. Invariant: every arm spends the same rollouts; all but the filter get two-stage groups.
 */
import type { SchedulerConfig, WeightName } from '@/lib/engine/config'
import type { MakeScheduler } from '@/lib/testbed/scheduler'
import { envBandit } from '@/lib/testbed/schedulers/env-bandit'
import { envThenTask } from '@/lib/testbed/schedulers/env-then-task'
import { envThenTaskProtected } from '@/lib/testbed/schedulers/env-then-task-protected'
import { envsched } from '@/lib/testbed/schedulers/envsched'
import { learnability } from '@/lib/testbed/schedulers/learnability'
import { mopps } from '@/lib/testbed/schedulers/mopps'
import { oracle } from '@/lib/testbed/schedulers/oracle'
import { oracleGradient } from '@/lib/testbed/schedulers/oracle-gradient'
import { plr } from '@/lib/testbed/schedulers/plr'
import { uniform } from '@/lib/testbed/schedulers/uniform'
import { placebo, privateNames, withoutStructure } from '@/lib/testbed/task-set-views'

export interface Arm {
  name: string
  make: MakeScheduler
  filtered: boolean
  /** one stage even where the others have two */
  singleStage: boolean
  core: boolean
}

const arm = (name: string, make: MakeScheduler, options: Partial<Arm> = {}): Arm => ({
  name,
  make,
  filtered: false,
  singleStage: false,
  core: false,
  ...options,
})

const withWeight = (config: SchedulerConfig, name: WeightName, value: number): SchedulerConfig => ({
  ...config,
  weights: { ...config.weights, [name]: value },
})

export const ARMS: readonly Arm[] = [
  arm('uniform', uniform, { core: true }),
  arm('uniform-filtered', uniform, { filtered: true, singleStage: true }),
  arm('env-then-task', (input) => envThenTask(input), { core: true }),
  arm('env-then-task-protected', envThenTaskProtected, { core: true }),
  arm('env-bandit', envBandit),
  arm('mopps', mopps),
  arm('learnability', learnability),
  arm('plr', plr),
  arm('envsched', (input) => envsched(input), { core: true }),
  arm('envsched-single-stage', (input) => envsched(input), { singleStage: true }),
  arm('envsched-no-graph', (input) => envsched(input, undefined, withoutStructure)),
  arm('envsched-placebo', (input) => envsched(input, undefined, (set) => placebo(set, input.seed))),
  arm('envsched-cross-placebo', (input) => envsched(input, undefined, privateNames)),
  arm('envsched-no-uniform-slots', (input) => envsched(input, (config) => ({ ...config, uniformShare: 0 }))),
  arm('envsched-no-coverage', (input) => envsched(input, (config) => withWeight(config, 'coverage', 0))),
  arm('envsched-no-penalty', (input) => envsched(input, (config) => withWeight(config, 'similarity', 0))),
  arm('oracle', oracle, { core: true }),
  arm('oracle-gradient', oracleGradient),
]

/** `core`, `all`, or names separated by commas. @throws RangeError naming an unknown arm. */
export function armsNamed(list: string): Arm[] {
  if (list === 'all') return [...ARMS]
  if (list === 'core') return ARMS.filter((candidate) => candidate.core)
  return list.split(',').map((name) => {
    const found = ARMS.find((candidate) => candidate.name === name.trim())
    if (found === undefined)
      throw new RangeError(`no arm is called ${name}; there are ${ARMS.map((candidate) => candidate.name).join(', ')}`)
    return found
  })
}
