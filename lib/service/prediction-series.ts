/**
 * Errors and model weights over time, thinned to what a chart can draw. Pure.
 * Owns: the axis: batches, or where there are none the groups in the order they were absorbed. A point is taken over the WINDOW batches up to its own,
 * or over all since the point before where points lie further apart. Cost: O(batches).
 */
import type { Calibration } from '@/lib/contract/calibration'
import { addCell, digits, type ErrorCell, emptyCell, type NoiseSums, noiseOf } from './error-cell'
import type { Block } from './group-blocks'
import { COMPARED, type PredictionBook } from './prediction-book'
import type { RunHistory } from './run-history'

/** Points of a series at most. */
const POINTS = 160
/** Digits of a point: it is drawn. */
const DIGITS = 4
/** Batches, or blocks of groups, under a point. */
const WINDOW = 5
/** Groups under a point of the noise ceiling, where there are as many. */
const NOISY = 150
/** Blocks that a standard error is taken over at most: neighbours in a report may be the same task again. */
const APART = 32

/** One step of the axis: a batch, or a block of groups. */
export interface Step {
  /** batch, or groups absorbed up to its end */
  at: number
  cell: ErrorCell
  /** weight of each competing model, null where it was not kept */
  weights: Record<string, number> | number[] | null
}

/** Positions of `length` things so that at most `most` stay, evenly; the last always does. */
export function thinned(length: number, most = POINTS): number[] {
  const step = Math.max(1, Math.ceil(length / most))
  return Array.from({ length }, (_, i) => i).filter((i) => (length - 1 - i) % step === 0)
}

function stepsOfBatches(history: RunHistory, book: PredictionBook): Step[] {
  return history.batches.flatMap((batch) => {
    if (batch.superseded) return []
    const models = batch.record.predictors?.filter(({ kind }) => kind === 'model')
    const weights = models === undefined ? null : Object.fromEntries(models.map(({ name, weight }) => [name, weight]))
    return [{ at: batch.index, cell: book.batches.get(batch.index) ?? emptyCell(COMPARED.length), weights }]
  })
}

function stepsOfBlocks(blocks: readonly Block[]): Step[] {
  let at = 0
  return blocks.map(({ length, cell, weights }) => {
    at += length
    return { at, cell, weights }
  })
}

/** `reports`: groups come without batches. A run that asks for batches and has none yet has an empty axis of batches. */
export function stepsOf(
  history: RunHistory,
  book: PredictionBook,
  reports: boolean,
): { of: 'batch' | 'group'; steps: Step[] } {
  if (history.batches.length > 0 || (reports !== true && book.folded === 0))
    return { of: 'batch', steps: stepsOfBatches(history, book) }
  return { of: 'group', steps: stepsOfBlocks(book.blocks.all) }
}

/** Sums over the steps before each position, one more than steps. */
function noiseBefore(steps: readonly Step[]): NoiseSums[] {
  const sums: NoiseSums[] = [{ groups: 0, noiseGroups: 0, noise: 0, noiseSquares: 0 }]
  for (const { cell } of steps) {
    const before = sums.at(-1) ?? cell
    sums.push({
      groups: before.groups + cell.groups,
      noiseGroups: before.noiseGroups + cell.noiseGroups,
      noise: before.noise + cell.noise,
      noiseSquares: before.noiseSquares + cell.noiseSquares,
    })
  }
  return sums
}

/** Mean noise up to a position, over twice as many steps until NOISY groups tell it clearly; null where all together do not. */
function noiseUpTo(sums: readonly NoiseSums[], position: number, window: number): number | null {
  const upTo = sums[position + 1]
  for (let width = window; ; width *= 2) {
    const from = sums[Math.max(0, position + 1 - width)]
    if (upTo === undefined || from === undefined) return null
    const noiseGroups = upTo.noiseGroups - from.noiseGroups
    const found = noiseOf({
      groups: upTo.groups - from.groups,
      noiseGroups,
      noise: upTo.noise - from.noise,
      noiseSquares: upTo.noiseSquares - from.noiseSquares,
    })
    if ((found !== null && noiseGroups >= NOISY) || width > position) return found
  }
}

export function errorsOver(
  { of, steps }: { of: 'batch' | 'group'; steps: readonly Step[] },
  blockSize: number,
): Calibration['over'] {
  const points = thinned(steps.length)
  const apart = points.length > 1 ? (points[1] ?? 0) - (points[0] ?? 0) : 1
  const window = Math.max(WINDOW, apart)
  const cells = points.map((position) => {
    const sum = emptyCell(COMPARED.length)
    for (const { cell } of steps.slice(Math.max(0, position - window + 1), position + 1)) addCell(sum, cell)
    return sum
  })
  const noise = noiseBefore(steps)
  const root = (value: number | null) => (value === null ? null : digits(Math.sqrt(value), DIGITS))
  return {
    of,
    window: of === 'batch' ? window : window * blockSize,
    at: points.map((position) => steps[position]?.at ?? 0),
    best: points.map((position) => root(noiseUpTo(noise, position, window))),
    errors: COMPARED.map((name, p) => ({
      name,
      values: cells.map(({ groups, squares }) => root(groups === 0 ? null : (squares[p] ?? 0) / groups)),
    })),
  }
}

/** `models`: names of the competing ones, in the order in which weights without a name are kept. */
export function weightsOver(steps: readonly Step[], models: readonly string[]): Calibration['weights'] {
  const known = steps.filter(({ weights }) => weights !== null)
  const points = thinned(known.length).flatMap((position) => known[position] ?? [])
  const weightOf = ({ weights }: Step, name: string, m: number) =>
    (Array.isArray(weights) ? weights[m] : weights?.[name]) ?? null
  return {
    at: points.map(({ at }) => at),
    models: models.map((name, m) => ({
      name,
      values: points.map((step) => {
        const weight = weightOf(step, name, m)
        return weight === null ? null : digits(weight, DIGITS)
      }),
    })),
  }
}

/** Neighbours joined to at most APART, oldest first. */
export function apart<T>(all: readonly T[], join: (these: readonly T[]) => T): T[] {
  const size = Math.max(1, Math.ceil(all.length / APART))
  return Array.from({ length: Math.ceil(all.length / size) }, (_, i) => join(all.slice(i * size, (i + 1) * size)))
}
