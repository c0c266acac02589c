/**
 * The field's own constants: priors, walk noise, drift, the dead-task probability, limits. A person does not change these;
 * what a person may change is in config.ts.
 * Units: standard deviations on the logit scale; walk per policy version. A deviation of 0 takes an effect out of the field.
 * Source: the additive field with walk noise that was ahead on the language model, the chained one with drift by exposure that was
 * ahead in the simulator.
 */
import type { ThingKind } from './things'

/** How fast training moves effects of one kind: logits a unit of exposure, with its prior deviation; 0 and 0 = never. */
export interface Speed {
  mean: number
  deviation: number
}

export interface FieldSettings {
  /** additive: effects add up to a task's logit. conjunctive: they add up to the logit of each step, and all steps must succeed. */
  form: 'additive' | 'conjunctive'
  /** logit of an unseen task's success; in the conjunctive form of an unseen step's */
  priorMean: number
  deviation: {
    baseline: number
    slope: number
    environment: number
    task: number
    within: Record<ThingKind, number>
    cross: Record<ThingKind, number>
  }
  walk: { baseline: number; slope: number; environment: number; task: number; within: number; cross: number }
  /** training moves what it touched: by speed times exposure, and makes it `noise` times exposure less certain (variance) */
  drift: { environment: Speed; within: Speed; cross: Speed; noise: number }
  /** length at which the slope is 0, and the longest length it tells apart */
  slopeCentre: number
  slopeLongest: number
  /** probability that a task can never be solved */
  dead: number
  /** largest log odds of being dead: nothing is ever written off */
  deadMost: number
  /** log odds once a rollout was rewarded */
  deadSolved: number
  /** share of the way back to the prior that the log odds of being dead go each policy version */
  deadRelax: number
  /** least information of a rollout on the logit scale, so that all-equal groups stay bounded */
  leastInformation: number
  /** groups, and floats of all their gains, that evidence keeps apart before they merge by source task */
  traceGroups: number
  traceFloats: number
}

/**
 * Effects add up: the form for tasks whose difficulty is no chain of calls.
 * What set a constant stands beside it. "Log loss" is nats a rollout over the groups of four recorded trainings in the testbed (each
 * group predicted before it is absorbed), "hits" the true worth of the 40 tasks ranked best, as a share of the best there are.
 */
export const FIELD_SETTINGS: FieldSettings = {
  form: 'additive',
  // The language model's trials; the simulator is flat in it (log loss .343 to .344 between -.5 and .5 in the conjunctive form).
  priorMean: -1,
  deviation: {
    // The trials' priors, which both the language model and the simulator were flat in.
    baseline: 1.5,
    slope: 0.4,
    environment: 1.5,
    // .5 was sure of too much: log loss .433 against .400 with missing features, .423 against .403 with wrong ones.
    task: 1.2,
    // Calls at .5 lost: log loss .463 against .457 in the mixed world, .426 against .420 with missing features.
    within: { tool: 1.2, role: 0, state: 0.25, check: 0.25, pattern: 0.25, length: 0.2 },
    cross: { tool: 1, role: 0.3, state: 0, check: 0, pattern: 0.25, length: 0.2 },
  },
  // The language model's trials: walk noise instead of running averages earned .013 of area there.
  walk: { baseline: 0.03, slope: 0.01, environment: 0.1, task: 0.12, within: 0.08, cross: 0.06 },
  // Speeds are learnt; their priors only set how soon. Drift moved log loss from .398 to .385 here and from .381 to .352 in chains.
  drift: {
    environment: { mean: 2, deviation: 2 },
    within: { mean: 3, deviation: 2 },
    cross: { mean: 2, deviation: 2 },
    noise: 0.3,
  },
  slopeCentre: 4,
  slopeLongest: 10,
  // .05 to .08 and .01 to .003 moved log loss by .002 and .001: a task is dead sooner, an all-equal group says more.
  dead: 0.08,
  deadMost: 4,
  deadSolved: -5,
  deadRelax: 0.01,
  leastInformation: 0.003,
  // Memory: evidence names single groups this far back, older ones by task.
  traceGroups: 4096,
  traceFloats: 1_000_000,
}

/** All steps must succeed: the form for chains of calls. Log loss .417 against .448 of the additive form in the small world. */
export const CONJUNCTIVE_SETTINGS: FieldSettings = {
  ...FIELD_SETTINGS,
  form: 'conjunctive',
  // Of one step. Flat between -.5 and 1.
  priorMean: 0,
  deviation: {
    baseline: 1.5,
    slope: 0,
    environment: 1.5,
    // .2 to .6 are alike with full features, .421 against .407 with wrong ones. Above that the loose model does better.
    task: 0.4,
    // Flat between 1.2 and 2; hits .70 at .8 and .73 from 1.2 on. State and checks count only where no call is named: .343 to .336 without.
    within: { tool: 1.4, role: 0, state: 0.25, check: 0.25, pattern: 0, length: 0 },
    cross: { tool: 1.4, role: 0.3, state: 0, check: 0, pattern: 0, length: 0 },
  },
  // Faster than the trials' .02 to .08: hits .71 against .70. A walk of .3 of the environment loses .01 again.
  walk: { baseline: 0.12, slope: 0, environment: 0.14, task: 0.15, within: 0.15, cross: 0.06 },
  // What is shared by name moves, what is shared by role alone does not: hits .727 against .719. An environment's own speed was learnt as 0.
  drift: {
    environment: { mean: 0, deviation: 0 },
    within: { mean: 10, deviation: 5 },
    cross: { mean: 8, deviation: 4 },
    noise: 0.5,
  },
}

/** The same where named calls say only part of it: log loss .375 against .422 of the one above where half of the features are missing. */
export const LOOSE_SETTINGS: FieldSettings = {
  ...CONJUNCTIVE_SETTINGS,
  deviation: { ...CONJUNCTIVE_SETTINGS.deviation, task: 2 },
  walk: { ...CONJUNCTIVE_SETTINGS.walk, task: 0.35 },
}

const NONE: Record<ThingKind, number> = { tool: 0, role: 0, state: 0, check: 0, pattern: 0, length: 0 }

/** No structure at all: environments and single tasks. Task deviation 2 against 1.2: log loss .472 against .485. */
export const PLAIN_SETTINGS: FieldSettings = {
  ...FIELD_SETTINGS,
  deviation: { ...FIELD_SETTINGS.deviation, slope: 0, task: 2, within: NONE, cross: NONE },
  walk: { ...FIELD_SETTINGS.walk, task: 0.35 },
}
