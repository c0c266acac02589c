/**
 * The arms that a training bench can run, by the names of the JSON.
 * Owns: name, maker and how it trains. Invariant: every arm spends the same rollouts; all but the filter get two-stage groups.
 */
import type { MakeScheduler } from '@/lib/testbed/scheduler'
import { envBandit } from '@/lib/testbed/schedulers/env-bandit'
import { envThenTask } from '@/lib/testbed/schedulers/env-then-task'
import { envThenTaskProtected } from '@/lib/testbed/schedulers/env-then-task-protected'
import { learnability } from '@/lib/testbed/schedulers/learnability'
import { mopps } from '@/lib/testbed/schedulers/mopps'
import { oracle } from '@/lib/testbed/schedulers/oracle'
import { oracleGradient } from '@/lib/testbed/schedulers/oracle-gradient'
import { plr } from '@/lib/testbed/schedulers/plr'
import { uniform } from '@/lib/testbed/schedulers/uniform'

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

export const ARMS: readonly Arm[] = [
  arm('uniform', uniform, { core: true }),
  arm('uniform-filtered', uniform, { filtered: true, singleStage: true }),
  arm('env-then-task', (input) => envThenTask(input), { core: true }),
  arm('env-then-task-protected', envThenTaskProtected, { core: true }),
  arm('env-bandit', envBandit),
  arm('mopps', mopps),
  arm('learnability', learnability),
  arm('plr', plr),
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
