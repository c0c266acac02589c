/**
 * The arms that a training bench can run, by the names of the JSON.
 * Owns: name, maker and how it trains. Invariant: every arm spends the same rollouts, in two-stage groups but for those marked single.
 * Zero-variance filtering (DAPO's dynamic sampling at equal rollouts) keeps informative groups until a batch of them is full, and steps then;
 * with two-stage groups it stands 23 (area over uniform's times 1,000, seeds 1 to 6) below unfiltered uniform choice, with one stage 45.
 */
import type { SchedulerConfig, WeightName } from '@/lib/engine/config'
import type { FieldSettings } from '@/lib/engine/field-settings'
import { COMPETING, type ModelSettings } from '@/lib/engine/models'
import { THING_KINDS, type ThingKind } from '@/lib/engine/things'
import type { MakeScheduler } from '@/lib/testbed/scheduler'
import { envBandit } from '@/lib/testbed/schedulers/env-bandit'
import { ENV_THEN_TASK_TUNED, envThenTask } from '@/lib/testbed/schedulers/env-then-task'
import { ENV_THEN_TASK_PROTECTED_TUNED, envThenTaskProtected } from '@/lib/testbed/schedulers/env-then-task-protected'
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
  /** what may be run without the engine, the engine and its ablations, or what knows the truth */
  kind: 'baseline' | 'envsched' | 'oracle'
}

const arm = (name: string, make: MakeScheduler, options: Partial<Arm> = {}): Arm => ({
  name,
  make,
  filtered: false,
  singleStage: false,
  core: false,
  kind: name.startsWith('envsched') ? 'envsched' : name.startsWith('oracle') ? 'oracle' : 'baseline',
  ...options,
})

const withWeight = (config: SchedulerConfig, name: WeightName, value: number): SchedulerConfig => ({
  ...config,
  weights: { ...config.weights, [name]: value },
})

/** The models with their constants changed. */
const modelsWith = (change: (settings: FieldSettings) => FieldSettings): ModelSettings[] =>
  COMPETING.map(({ name, settings }) => ({ name, settings: change(settings) }))

const NONE = Object.fromEntries(THING_KINDS.map((kind) => [kind, 0])) as Record<ThingKind, number>

/** The models without one relation: its effects have no deviation, so no evidence moves them. */
const without = (relation: 'within' | 'cross') =>
  modelsWith((settings) => ({ ...settings, deviation: { ...settings.deviation, [relation]: NONE } }))

const STILL = { mean: 0, deviation: 0 }

/** The models without drift by exposure. */
const withoutDrift = modelsWith((settings) => ({
  ...settings,
  drift: { environment: STILL, within: STILL, cross: STILL, noise: 0 },
}))

const only = (...names: string[]) => COMPETING.filter(({ name }) => names.includes(name))

export const ARMS: readonly Arm[] = [
  arm('uniform', uniform, { core: true }),
  arm('uniform-filtered', uniform, { filtered: true }),
  arm('env-then-task', (input) => envThenTask(input, ENV_THEN_TASK_TUNED), { core: true }),
  arm('env-then-task-protected', (input) => envThenTaskProtected(input, ENV_THEN_TASK_PROTECTED_TUNED), { core: true }),
  arm('env-bandit', (input) => envBandit(input)),
  arm('mopps', (input) => mopps(input)),
  arm('learnability', (input) => learnability(input)),
  arm('plr', (input) => plr(input)),
  arm('envsched', (input) => envsched(input), { core: true }),
  arm('envsched-single-stage', (input) => envsched(input), { singleStage: true }),
  arm('envsched-no-graph', (input) => envsched(input, { view: withoutStructure })),
  arm('envsched-no-within', (input) => envsched(input, { models: without('within') })),
  arm('envsched-no-cross', (input) => envsched(input, { models: without('cross') })),
  arm('envsched-no-drift', (input) => envsched(input, { models: withoutDrift })),
  arm('envsched-additive', (input) => envsched(input, { models: only('additive') })),
  arm('envsched-conjunctive', (input) => envsched(input, { models: only('conjunctive') })),
  arm('envsched-placebo', (input) => envsched(input, { view: (set) => placebo(set, input.seed) })),
  arm('envsched-cross-placebo', (input) => envsched(input, { view: privateNames })),
  arm('envsched-no-uniform-slots', (input) => envsched(input, { config: (c) => ({ ...c, uniformShare: 0 }) })),
  arm('envsched-no-coverage', (input) => envsched(input, { config: (c) => withWeight(c, 'coverage', 0) })),
  arm('envsched-no-quota', (input) => envsched(input, { uncapped: true })),
  arm('envsched-no-penalty', (input) => envsched(input, { config: (c) => withWeight(c, 'similarity', 0) })),
  arm('envsched-cost-aware', (input) => envsched(input, { config: (c) => withWeight(c, 'cost', 0.25) })),
  arm('envsched-adaptive-groups', (input) => envsched(input, { config: (c) => ({ ...c, groupSizing: 'adaptive' }) }), {
    singleStage: true,
  }),
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
