import type { Field } from '@/lib/engine/field-state'
import type { Models } from '@/lib/engine/models'

/** Models of a single field, which then has all the weight. */
export function oneModel(field: Field): Models {
  return { names: ['only'], fields: [field], scores: new Float64Array(1), rollouts: 0, losses: new Float64Array(1) }
}
