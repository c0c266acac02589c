/** The settings that the field's laws are tested under: those of the competing models, and both forms with and without drift. */
import { CONJUNCTIVE_SETTINGS, FIELD_SETTINGS, type FieldSettings } from '@/lib/engine/field-settings'
import { MODEL_SETTINGS } from '@/lib/engine/models'

const STILL = { mean: 0, deviation: 0 }

const withoutDrift = (settings: FieldSettings): FieldSettings => ({
  ...settings,
  drift: { environment: STILL, within: STILL, cross: STILL, noise: 0 },
})

/** Drift of everything, learnt from a start that is often wrong. */
const withDrift = (settings: FieldSettings): FieldSettings => ({
  ...settings,
  drift: {
    environment: { mean: 1, deviation: 2 },
    within: { mean: 3, deviation: 3 },
    cross: { mean: 0, deviation: 2 },
    noise: 0.4,
  },
})

export const DRIFTS: readonly [string, FieldSettings][] = [
  ['additive without drift', withoutDrift(FIELD_SETTINGS)],
  ['additive, all drifts', withDrift(FIELD_SETTINGS)],
  ['conjunctive without drift', withoutDrift(CONJUNCTIVE_SETTINGS)],
  ['conjunctive, all drifts', withDrift(CONJUNCTIVE_SETTINGS)],
]

export const FORMS: readonly [string, FieldSettings][] = [
  ...MODEL_SETTINGS.map(({ name, settings }): [string, FieldSettings] => [name, settings]),
  ...DRIFTS,
]
