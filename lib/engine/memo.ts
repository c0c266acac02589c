/**
 * What proposals from one unchanging state have in common: predictions, similarities and the evidence of tasks do not depend on a draft
 * unless it changes what they are read at. Owns: keeping them. Must never know: drafts, when a state changes.
 * Invariant: a memo belongs to one state; whoever changes the state throws it away. With it every answer is the same to the bit.
 */
import { type EvidenceSummary, summariesOf } from './evidence'
import { type Reading, readLadder } from './ladder'
import type { Models } from './models'
import type { State } from './state'
import { type Structure, similarity } from './structure'

/** Readings that are kept: a person who moves the headroom back and forth finds them again. */
const READINGS = 6
/** Tasks up to which similarities to a member of the batch are remembered in a row each. */
const ROWS_UP_TO = 20_000
/** numbers remembered at most, a quarter of a gigabyte: behind that they are computed again, with the same result */
const REMEMBERED = 2 ** 25

export interface Memo {
  /** `size`: picks of the batch that is read for, 0 = what groups teach is not asked for */
  reading: (state: State, groupSize: number, headroom: number, size: number) => Reading
  /** Of each task, in their order. */
  summaries: (tasks: readonly number[]) => EvidenceSummary[]
  /** Of a candidate to a member, each computed once. */
  similarity: (i: number, member: number) => number
}

export function createMemo(models: Models, structure: Structure): Memo {
  return {
    reading: rememberedReading(models, structure),
    summaries: rememberedSummaries(models),
    similarity: rememberedSimilarity(structure),
  }
}

function rememberedReading(models: Models, { environmentOf }: Structure): Memo['reading'] {
  const known = new Map<string, Reading>()
  return (state, groupSize, headroom, size) => {
    const key = `${groupSize} ${headroom} ${size}`
    const found = known.get(key)
    if (found !== undefined) return found
    const reading = readLadder(models, state, environmentOf, groupSize, headroom, size)
    for (const oldest of known.keys()) {
      if (known.size < READINGS) break
      known.delete(oldest)
    }
    known.set(key, reading)
    return reading
  }
}

function rememberedSummaries(models: Models): Memo['summaries'] {
  const known = new Map<number, EvidenceSummary>()
  return (tasks) => {
    const missing = tasks.filter((task) => !known.has(task))
    if (missing.length > 0)
      summariesOf(models, missing).forEach((summary, k) => {
        known.set(missing[k]!, summary)
      })
    return tasks.map((task) => known.get(task)!)
  }
}

function rememberedSimilarity(structure: Structure): Memo['similarity'] {
  const between = (i: number, j: number) => (i < j ? similarity(structure, i, j) : similarity(structure, j, i))
  if (structure.tasks > ROWS_UP_TO) return between
  const rows = new Map<number, Float64Array>()
  return (i, member) => {
    let row = rows.get(member)
    if (row === undefined) {
      if (rows.size * structure.tasks >= REMEMBERED) return between(i, member)
      row = new Float64Array(structure.tasks).fill(-1)
      rows.set(member, row)
    }
    const found = row[i]!
    if (found >= 0) return found
    row[i] = between(i, member)
    return row[i]!
  }
}
