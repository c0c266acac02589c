/**
 * The schedulers of a replay, by the names of the JSON.
 * Owns: which there are, and the oracle of hindsight, which alone is shown rewards before it chooses.
 * Invariant: nothing here knows a source; all of them get the same input and the same offers.
 */
import type { ReplayGroup, ReplayLadder } from '@/lib/testbed/replay/ladder'
import type { Scheduler, SchedulerInput } from '@/lib/testbed/scheduler'
import { envBandit } from '@/lib/testbed/schedulers/env-bandit'
import { envThenTask } from '@/lib/testbed/schedulers/env-then-task'
import { envThenTaskProtected } from '@/lib/testbed/schedulers/env-then-task-protected'
import { type Ablation, type EnvschedScheduler, envsched } from '@/lib/testbed/schedulers/envsched'
import { learnability } from '@/lib/testbed/schedulers/learnability'
import { mopps } from '@/lib/testbed/schedulers/mopps'
import { plr } from '@/lib/testbed/schedulers/plr'
import { largest } from '@/lib/testbed/schedulers/rank'
import { uniform } from '@/lib/testbed/schedulers/uniform'
import { placebo, withoutStructure } from '@/lib/testbed/task-set-views'

/** The groups on offer at a step. */
export type Hindsight = (step: number) => readonly (ReplayGroup | null)[]

export interface ReplayArm {
  name: string
  make(input: SchedulerInput, hindsight: Hindsight): Scheduler | EnvschedScheduler
  /** only worth running where a source has tools or declared fields */
  needsStructure: boolean
  core: boolean
  /** one setting of ours changed to see what it does: runs only when named, or with `all` */
  ablation: boolean
}

/** Takes the groups of largest variance, which are the informative ones. */
function oracle(input: SchedulerInput, hindsight: Hindsight): Scheduler {
  return {
    next: (step, count, open) => {
      const groups = hindsight(step)
      const scores = Float64Array.from(groups, (group) =>
        group === null ? -1 : group.variance + 1e-6 * input.random(),
      )
      return largest(scores, count, open)
    },
    observe: () => undefined,
  }
}

/** What EnvSched may know of structure in each variant; the placebo deals it anew inside environments. */
export const ENGINE_VARIANTS: readonly { name: string; needsStructure: boolean; ablation(seed: number): Ablation }[] = [
  { name: 'envsched', needsStructure: false, ablation: () => ({}) },
  { name: 'envsched-no-structure', needsStructure: true, ablation: () => ({ view: withoutStructure }) },
  {
    name: 'envsched-placebo',
    needsStructure: true,
    ablation: (seed) => ({ view: (set) => placebo(set, seed) }),
  },
]

const simple = (name: string, make: ReplayArm['make'], core = false): ReplayArm => ({
  name,
  make,
  needsStructure: false,
  core,
  ablation: false,
})

const changed = (name: string, config: NonNullable<Ablation['config']>): ReplayArm => ({
  ...simple(name, (input) => envsched(input, { keepLog: true, config })),
  ablation: true,
})

export const REPLAY_ARMS: readonly ReplayArm[] = [
  simple('uniform', uniform, true),
  simple('env-then-task', (input) => envThenTask(input), true),
  simple('env-then-task-protected', (input) => envThenTaskProtected(input), true),
  simple('env-bandit', (input) => envBandit(input)),
  simple('mopps', (input) => mopps(input)),
  simple('learnability', (input) => learnability(input)),
  simple('plr', (input) => plr(input)),
  ...ENGINE_VARIANTS.map(
    ({ name, needsStructure, ablation }): ReplayArm => ({
      name,
      make: (input) => envsched(input, { ...ablation(input.seed), keepLog: true }),
      needsStructure,
      core: name === 'envsched',
      ablation: false,
    }),
  ),
  changed('envsched-no-uniform-slots', (config) => ({ ...config, uniformShare: 0 })),
  changed('envsched-no-headroom', (config) => ({ ...config, weights: { ...config.weights, headroom: 0 } })),
  changed('envsched-no-recency', (config) => ({ ...config, weights: { ...config.weights, recency: 0 } })),
  simple('oracle', oracle, true),
]

/** `core`, `main` (all but the ablations), `all`, or names separated by commas. @throws RangeError naming an unknown arm. */
export function replayArmsNamed(list: string): ReplayArm[] {
  if (list === 'all') return [...REPLAY_ARMS]
  if (list === 'main') return REPLAY_ARMS.filter(({ ablation }) => ablation === false)
  if (list === 'core') return REPLAY_ARMS.filter(({ core }) => core)
  return list.split(',').map((name) => {
    const found = REPLAY_ARMS.find((arm) => arm.name === name.trim())
    if (found === undefined)
      throw new RangeError(`no arm is called ${name}; there are ${REPLAY_ARMS.map((arm) => arm.name).join(', ')}`)
    return found
  })
}

/** Structure that a scheduler could use. */
export function hasStructure(ladder: ReplayLadder): boolean {
  return ladder.hasTools || ladder.hasStatic
}
