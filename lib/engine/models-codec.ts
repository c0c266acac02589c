/** Models as bytes and back, with identical floats: their scores and simple shadows, then each field behind its length. */
import { decodeField, encodeField } from './field-codec'
import { MODEL_SETTINGS, type ModelSettings, type Models, structureOf, unscored } from './models'
import type { Structure } from './structure'
import type { EngineTaskSet } from './task-set'

const WORD = 8

/** The arrays beside the fields, in the order they are written. */
function arraysOf({ scores, rollouts, losses, recent, shadows }: Models): Float64Array[] {
  return [scores, rollouts, losses, recent, shadows.all, shadows.environment, shadows.task]
}

export function encodeModels(models: Models): Uint8Array {
  const parts = models.fields.map(encodeField)
  const head = [models.fields.length, ...parts.map((part) => part.length)]
  const pieces = [Float64Array.from(head), ...arraysOf(models)].map(
    ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength),
  )
  pieces.push(...parts)
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}

/** The models that `bytes` hold. Throws RangeError if they belong to another structure or are cut off. */
export function decodeModels(
  structure: Structure,
  set: EngineTaskSet,
  bytes: Uint8Array,
  all: readonly ModelSettings[] = MODEL_SETTINGS,
): Models {
  let at = 0
  const take = (length: number): Uint8Array => {
    if (!Number.isInteger(length) || length < 0 || at + length > bytes.length)
      throw new RangeError('The bytes of the models end too early.')
    at += length
    return bytes.slice(at - length, at)
  }
  const floats = (count: number) => new Float64Array(take(WORD * count).buffer)
  const [count = 0] = floats(1)
  if (count !== all.length) throw new RangeError(`The bytes hold ${count} models instead of ${all.length}.`)
  const lengths = floats(count)
  const models = unscored(structure, all, [])
  for (const array of arraysOf(models)) array.set(floats(array.length))
  models.fields = all.map((model, m) =>
    decodeField(structureOf(structure, model), set, take(lengths[m]!), model.settings),
  )
  return models
}
