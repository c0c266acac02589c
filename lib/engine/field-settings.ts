/**
 * The field's own constants: priors, walk noise, the dead-task probability, limits. A person does not change these;
 * what a person may change is in config.ts.
 * Units: standard deviations on the logit scale; walk per policy version. A deviation of 0 takes an effect out of the field.
 * Source: the additive field with walk noise that was ahead on the language model.
 */
import type { ThingKind } from './things'

export interface FieldSettings {
  /** logit of an unseen task's success */
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

export const FIELD_SETTINGS: FieldSettings = {
  priorMean: -1,
  deviation: {
    baseline: 1.5,
    slope: 0.4,
    environment: 1.5,
    task: 0.5,
    within: { tool: 0.5, role: 0, state: 0.25, check: 0.25, pattern: 0.25, length: 0.2 },
    cross: { tool: 0.5, role: 0.3, state: 0, check: 0, pattern: 0.25, length: 0.2 },
  },
  walk: { baseline: 0.03, slope: 0.01, environment: 0.1, task: 0.12, within: 0.08, cross: 0.06 },
  slopeCentre: 4,
  slopeLongest: 10,
  dead: 0.05,
  deadMost: 4,
  deadSolved: -5,
  deadRelax: 0.01,
  leastInformation: 0.01,
  traceGroups: 4096,
  traceFloats: 1_000_000,
}
