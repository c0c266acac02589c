/**
 * All that the Predictions page adds up, folded group by group in the order they were absorbed. Pure over a run's history.
 * Owns: which groups are scored (every predictor answered before the group, and two trusted rollouts give a realised variance), and the sums.
 * Invariant: an absorbed group is folded once, so reading again costs only what is new; what is not known is left out, never 0.
 */
import { RIVALS } from '@/lib/engine/foretell'
import { MOST_SCORED } from '@/lib/engine/models'
import type { GroupRow } from '@/lib/store/group'
import { countIn, type ErrorCell, emptyCell, type ScoredGroup } from './error-cell'
import type { Standing } from './graph-helps'
import { countInBlocks, type GroupBlocks, newBlocks } from './group-blocks'
import { type Bin, countInBin, emptyBins } from './reliability'
import type { RunHistory } from './run-history'

/** What is compared: the prediction, then its rivals in the engine's order. */
export const COMPARED: readonly string[] = ['all together', ...RIVALS]
export const KINDS = ['own', 'within', 'cross', 'prior'] as const
/** Groups that a task had before, first of each class. */
export const DEPTHS: readonly number[] = [0, 1, 3, 6]
/** Predicted variance from which a prediction counts as high. */
const HIGH = 0.15
/** Of its prior: evidence that moved a prediction by less leaves it mainly prior. */
const MAINLY = 0.25

/** Sums of predicted, realised and (predicted - realised)^2 over groups. */
export interface Lean {
  groups: number
  predicted: number
  realised: number
  squares: number
}

export const emptyLean = (): Lean => ({ groups: 0, predicted: 0, realised: 0, squares: 0 })

/** Sums for the correlation of each predictor with the realised variance. */
export interface Moments {
  predicted: Float64Array
  squares: Float64Array
  products: Float64Array
  realised: number
  realisedSquares: number
}

export interface PredictionBook {
  /** groups of `history.absorbed` that were folded */
  folded: number
  all: ErrorCell
  moments: Moments
  depth: ErrorCell[]
  evidence: { cell: ErrorCell; lean: Lean }[]
  bins: Bin[]
  high: Lean
  environments: Map<number, Lean>
  batches: Map<number, ErrorCell>
  blocks: GroupBlocks
  /** groups absorbed by task */
  before: Map<number, number>
  /** rollouts scored, as the models count them */
  rollouts: number
  /** what batches knew, and how far batches and groups were walked for it */
  known: { standings: Standing[]; batches: number; groups: number; rollouts: number }
}

const books = new WeakMap<RunHistory, PredictionBook>()

function newBook(): PredictionBook {
  const cell = () => emptyCell(COMPARED.length)
  const column = () => new Float64Array(COMPARED.length)
  return {
    folded: 0,
    all: cell(),
    moments: { predicted: column(), squares: column(), products: column(), realised: 0, realisedSquares: 0 },
    depth: DEPTHS.map(cell),
    evidence: KINDS.map(() => ({ cell: cell(), lean: emptyLean() })),
    bins: emptyBins(),
    high: emptyLean(),
    environments: new Map(),
    batches: new Map(),
    blocks: newBlocks(COMPARED.length),
    before: new Map(),
    rollouts: 0,
    known: { standings: [], batches: 0, groups: 0, rollouts: 0 },
  }
}

/** The book of a history, brought up to it. `environmentOf`: of a task. */
export function bookOf(history: RunHistory, environmentOf: (task: number) => number): PredictionBook {
  const book = books.get(history) ?? newBook()
  books.set(history, book)
  for (; book.folded < history.absorbed.length; book.folded += 1) {
    const group = history.groups.get(history.absorbed[book.folded] ?? -1)
    if (group === undefined) continue
    const scored = scoredOf(group, environmentOf)
    book.rollouts += Math.min(group.trusted, MOST_SCORED)
    countInBlocks(book.blocks, group.told, scored)
    if (scored !== null) score(book, scored)
    if (group.trusted > 0) book.before.set(group.task, (book.before.get(group.task) ?? 0) + 1)
  }
  return book
}

/** Null where something to compare is missing. */
export function scoredOf(group: GroupRow, environmentOf: (task: number) => number): ScoredGroup | null {
  const { told, realisedVariance, predictedVariance, varianceNoise, shares, task, batch } = group
  if (told === null || realisedVariance === null || !Number.isFinite(realisedVariance)) return null
  const predicted = [predictedVariance, ...told.variance].filter((one) => one !== null && Number.isFinite(one))
  if (predicted.length !== COMPARED.length) return null
  return {
    task,
    environment: environmentOf(task),
    batch,
    realised: realisedVariance,
    predicted: predicted.map(Number),
    noise: varianceNoise !== null && Number.isFinite(varianceNoise) ? varianceNoise : null,
    shares,
  }
}

/** Position in KINDS of where a prediction mainly came from. Shares are signed: evidence can speak against. */
export function mainKind(shares: readonly number[]): number {
  const [own = 0, within = 0, cross = 0, prior = 0] = shares.map(Math.abs)
  if (own + within + cross < MAINLY * prior) return 3
  const most = Math.max(own, within, cross)
  return [own, within, cross].indexOf(most)
}

function depthOf(before: number): number {
  return DEPTHS.reduce((at, from, d) => (before >= from ? d : at), 0)
}

function lean(into: Lean, predicted: number, realised: number): void {
  into.groups += 1
  into.predicted += predicted
  into.realised += realised
  into.squares += (predicted - realised) ** 2
}

function keyed<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key) ?? make()
  map.set(key, known)
  return known
}

function score(book: PredictionBook, scored: ScoredGroup): void {
  const { realised, predicted, shares, batch, task, environment } = scored
  const ours = predicted[0] ?? Number.NaN
  countIn(book.all, scored)
  moments(book.moments, scored)
  const depth = book.depth[depthOf(book.before.get(task) ?? 0)]
  if (depth !== undefined) countIn(depth, scored)
  const kind = shares === null ? undefined : book.evidence[mainKind(shares)]
  if (kind !== undefined) {
    countIn(kind.cell, scored)
    lean(kind.lean, ours, realised)
  }
  countInBin(book.bins, ours, realised)
  if (ours >= HIGH) lean(book.high, ours, realised)
  lean(keyed(book.environments, environment, emptyLean), ours, realised)
  if (batch !== null)
    countIn(
      keyed(book.batches, batch, () => emptyCell(COMPARED.length)),
      scored,
    )
}

function moments(into: Moments, { predicted, realised }: ScoredGroup): void {
  predicted.forEach((value, p) => {
    into.predicted[p] = (into.predicted[p] ?? 0) + value
    into.squares[p] = (into.squares[p] ?? 0) + value * value
    into.products[p] = (into.products[p] ?? 0) + value * realised
  })
  into.realised += realised
  into.realisedSquares += realised * realised
}
