import type { Field } from '@/lib/engine/field-state'
import type { Models } from '@/lib/engine/models'
import { emptyShadows, SIMPLE_SHADOWS } from '@/lib/engine/simple-shadows'

/** Models of a single field, which then has all the weight. */
export function oneModel(field: Field): Models {
  const predictors = 2 + SIMPLE_SHADOWS.length
  return {
    names: ['only'],
    fields: [field],
    used: [true],
    shadows: emptyShadows(field.structure.tasks, field.structure.environments),
    scores: new Float64Array(1),
    rollouts: new Float64Array(2),
    losses: new Float64Array(predictors),
    recent: new Float64Array(predictors),
  }
}
