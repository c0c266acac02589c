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

/** Effects add up: the form for tasks whose difficulty is no chain of calls. */
export const FIELD_SETTINGS: FieldSettings = {
  form: 'additive',
  priorMean: -1,
  deviation: {
    baseline: 1.5,
    slope: 0.4,
    environment: 1.5,
    task: 1.2,
    within: { tool: 1.2, role: 0, state: 0.25, check: 0.25, pattern: 0.25, length: 0.2 },
    cross: { tool: 1, role: 0.3, state: 0, check: 0, pattern: 0.25, length: 0.2 },
  },
  walk: { baseline: 0.03, slope: 0.01, environment: 0.1, task: 0.12, within: 0.08, cross: 0.06 },
  drift: {
    environment: { mean: 2, deviation: 2 },
    within: { mean: 3, deviation: 2 },
    cross: { mean: 2, deviation: 2 },
    noise: 0.3,
  },
  slopeCentre: 4,
  slopeLongest: 10,
  dead: 0.08,
  deadMost: 4,
  deadSolved: -5,
  deadRelax: 0.01,
  leastInformation: 0.003,
  traceGroups: 4096,
  traceFloats: 1_000_000,
}

/** All steps must succeed: the form for chains of calls. */
export const CONJUNCTIVE_SETTINGS: FieldSettings = {
  ...FIELD_SETTINGS,
  form: 'conjunctive',
  priorMean: 0,
  deviation: {
    baseline: 1.5,
    slope: 0,
    environment: 1.5,
    task: 0.4,
    within: { tool: 1.4, role: 0, state: 0.25, check: 0.25, pattern: 0, length: 0 },
    cross: { tool: 1.4, role: 0.3, state: 0, check: 0, pattern: 0, length: 0 },
  },
  walk: { baseline: 0.12, slope: 0, environment: 0.14, task: 0.15, within: 0.15, cross: 0.06 },
  drift: {
    environment: { mean: 0, deviation: 0 },
    within: { mean: 10, deviation: 5 },
    cross: { mean: 8, deviation: 4 },
    noise: 0.5,
  },
}

/** The same where named calls say only part of it: tasks may differ much from what their calls make expect. */
export const LOOSE_SETTINGS: FieldSettings = {
  ...CONJUNCTIVE_SETTINGS,
  deviation: { ...CONJUNCTIVE_SETTINGS.deviation, task: 2 },
  walk: { ...CONJUNCTIVE_SETTINGS.walk, task: 0.35 },
}

const NONE: Record<ThingKind, number> = { tool: 0, role: 0, state: 0, check: 0, pattern: 0, length: 0 }

/** No structure at all: environments and single tasks. */
export const PLAIN_SETTINGS: FieldSettings = {
  ...FIELD_SETTINGS,
  deviation: { ...FIELD_SETTINGS.deviation, slope: 0, task: 2, within: NONE, cross: NONE },
  walk: { ...FIELD_SETTINGS.walk, task: 0.35 },
}
