/** Models as bytes and back, with identical floats: their scores, then each field behind its length. */
import { decodeField, encodeField } from './field-codec'
import { createModels, MODEL_SETTINGS, type ModelSettings, type Models } from './models'
import type { Structure } from './structure'
import { structurePart } from './structure-part'
import type { EngineTaskSet } from './task-set'

const WORD = 8

export function encodeModels({ fields, scores, losses, rollouts }: Models): Uint8Array {
  const parts = fields.map(encodeField)
  const head = Float64Array.from([fields.length, rollouts, ...scores, ...losses, ...parts.map((part) => part.length)])
  const bytes = new Uint8Array(head.byteLength + parts.reduce((sum, part) => sum + part.length, 0))
  bytes.set(new Uint8Array(head.buffer))
  let at = head.byteLength
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
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
  const count = all.length
  const head = new Float64Array(2 + 3 * count)
  if (bytes.length < head.byteLength) throw new RangeError('The bytes of the models end too early.')
  new Uint8Array(head.buffer).set(bytes.subarray(0, head.byteLength))
  if (head[0] !== count) throw new RangeError(`The bytes hold ${head[0]} models instead of ${count}.`)
  let at = head.byteLength
  const fields = all.map(({ settings }, m) => {
    const length = head[2 + 2 * count + m]!
    if (!Number.isInteger(length) || length % WORD !== 0 || at + length > bytes.length)
      throw new RangeError('The bytes of the models end too early.')
    at += length
    return decodeField(structurePart(structure, settings), set, bytes.subarray(at - length, at), settings)
  })
  const models = createModels(structure, set, all)
  return {
    ...models,
    fields,
    rollouts: head[1]!,
    scores: head.slice(2, 2 + count),
    losses: head.slice(2 + count, 2 + 2 * count),
  }
}
