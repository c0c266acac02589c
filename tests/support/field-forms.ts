/** The settings that the field's laws are tested under: both forms, with and without drift, and no structure. */
import { CONJUNCTIVE_SETTINGS, FIELD_SETTINGS, type FieldSettings, PLAIN_SETTINGS } from '@/lib/engine/field-settings'

const STILL = { mean: 0, deviation: 0 }

export const withoutDrift = (settings: FieldSettings): FieldSettings => ({
  ...settings,
  drift: { environment: STILL, within: STILL, cross: STILL, noise: 0 },
})

/** Drift of everything, learnt from a start that is often wrong. */
export const withDrift = (settings: FieldSettings): FieldSettings => ({
  ...settings,
  drift: {
    environment: { mean: 1, deviation: 2 },
    within: { mean: 3, deviation: 3 },
    cross: { mean: 0, deviation: 2 },
    noise: 0.4,
  },
})

export const FORMS: readonly [string, FieldSettings][] = [
  ['additive', FIELD_SETTINGS],
  ['additive without drift', withoutDrift(FIELD_SETTINGS)],
  ['additive, all drifts', withDrift(FIELD_SETTINGS)],
  ['conjunctive', CONJUNCTIVE_SETTINGS],
  ['conjunctive without drift', withoutDrift(CONJUNCTIVE_SETTINGS)],
  ['conjunctive, all drifts', withDrift(CONJUNCTIVE_SETTINGS)],
  ['conjunctive, loose', LOOSE_SETTINGS],
  ['no structure', PLAIN_SETTINGS],
]
