/**
 * How well the predictors of a run did, from its book of predictions and the records of its decisions. Pure over a run's history.
 * Owns: putting the answer together, and how many rollouts were scored when a batch was chosen: those of the groups absorbed before its log entry.
 * Invariant: batches that were stored before predictors were, or that a restore undid, are left out, not guessed. The answer changes only with the log.
 */
import type { Calibration } from '@/lib/contract/calibration'
import { LOSERS } from '@/lib/engine/foretell'
import { MOST_SCORED, type PredictorRecord } from '@/lib/engine/models'
import { addCell, digits, type ErrorCell, emptyCell, noiseOf, partOf } from './error-cell'
import { graphHelps, type Standing } from './graph-helps'
import type { Block } from './group-blocks'
import { bookOf, COMPARED, DEPTHS, KINDS, type Lean, type PredictionBook } from './prediction-book'
import { apart, errorsOver, stepsOf, weightsOver } from './prediction-series'
import { reliabilityOf } from './reliability'
import type { RunHistory } from './run-history'

interface Named {
  id: string
  code: string
  name: string
}

export interface CalibrationGround {
  history: RunHistory
  now: readonly PredictorRecord[]
  environmentOf: (task: number) => number
  environments: readonly Named[]
  /** the trainer chooses by itself and only reports */
  reports: boolean
}

type Losses = Pick<Block, 'rollouts' | 'loss'>

/** Blocks before there is a standard error, standard errors of a clear lean, and environments told. */
const BLOCKS = 5
const CLEAR = 3
const LEANING = 3
/** Groups before anything is said of a lean, and the least lean that matters. */
const LEAN_GROUPS = 20
const LEAN_LEAST = 0.01
/** Share of what varies that must not be noise, before a correlation is held against the ceiling. */
const LEAST_SIGNAL = 0.05

/** What each batch knew, oldest first. A batch that was written while the history was read waits for the next reading. */
function standingsOfBatches(history: RunHistory, { known }: PredictionBook): Standing[] {
  for (; known.batches < history.batches.length; known.batches += 1) {
    const batch = history.batches[known.batches]
    if (batch === undefined || batch.seq > history.seq) break
    for (; known.groups < history.absorbed.length; known.groups += 1) {
      const group = history.groups.get(history.absorbed[known.groups] ?? -1)
      if (group === undefined || group.logSeq === null || group.logSeq >= batch.seq) break
      known.rollouts += Math.min(group.trusted, MOST_SCORED)
    }
    const { predictors } = batch.record
    if (predictors !== undefined && !batch.superseded) known.standings.push({ rollouts: known.rollouts, predictors })
  }
  return known.standings
}

function joinedLosses(blocks: readonly Losses[]): Losses {
  return blocks.reduce<Losses>(
    (sum, { rollouts, loss }) => ({
      rollouts: sum.rollouts + rollouts,
      loss: sum.loss.map((one, at) => one + (loss[at] ?? 0)),
    }),
    { rollouts: 0, loss: new Float64Array(LOSERS.length) },
  )
}

/** What was known after each block of groups, oldest first: where no batch keeps it. */
function standingsOfBlocks(blocks: readonly Block[]): Standing[] {
  const standings: Standing[] = []
  const sums = { rollouts: 0, loss: new Float64Array(LOSERS.length) }
  for (const { rollouts, loss } of apart<Losses>(blocks, joinedLosses)) {
    sums.rollouts += rollouts
    loss.forEach((one, at) => {
      sums.loss[at] = (sums.loss[at] ?? 0) + one
    })
    standings.push({
      rollouts: sums.rollouts,
      predictors: LOSERS.map((name, at) => ({
        name,
        kind: at === 0 ? 'mixture' : 'shadow',
        logLoss: sums.rollouts === 0 ? null : (sums.loss[at] ?? 0) / sums.rollouts,
      })),
    })
  }
  return standings
}

/** Mean squared error of predictor `p` minus that of the prediction; a ratio estimate over blocks as in graph-helps. */
function behind(cells: readonly ErrorCell[], p: number): { value: number; standardError: number | null } | null {
  const known = cells.filter(({ groups }) => groups > 0)
  const ahead = ({ squares }: ErrorCell) => (squares[p] ?? 0) - (squares[0] ?? 0)
  const groups = known.reduce((sum, cell) => sum + cell.groups, 0)
  if (groups === 0) return null
  const value = known.reduce((sum, cell) => sum + ahead(cell), 0) / groups
  if (known.length < BLOCKS) return { value: digits(value), standardError: null }
  const squares = known.reduce((sum, cell) => sum + (ahead(cell) - value * cell.groups) ** 2, 0)
  const standardError = Math.sqrt((squares * known.length) / (known.length - 1)) / groups
  return { value: digits(value), standardError: digits(standardError) }
}

/**
 * Correlation with the realised variance over the highest there is. What is realised varies by var(true) + noise, so a prediction that knew the
 * true variance would correlate by sqrt(1 - noise / var(realised)): the quotient is the correlation with the true variance (attenuation).
 */
export function ofCeiling({ all, moments }: Pick<PredictionBook, 'all' | 'moments'>, p: number): number | null {
  const n = all.groups
  const noise = noiseOf(all)
  if (noise === null || n < 2) return null
  const spread = moments.realisedSquares / n - (moments.realised / n) ** 2
  const own = (moments.squares[p] ?? 0) / n - ((moments.predicted[p] ?? 0) / n) ** 2
  const signal = 1 - noise / spread
  if (!(spread > 0) || !(own > 1e-12) || !(signal > LEAST_SIGNAL)) return null
  const both = (moments.products[p] ?? 0) / n - ((moments.predicted[p] ?? 0) * moments.realised) / n ** 2
  return digits(Math.min(1, both / Math.sqrt(spread * own * signal)))
}

function leanOf({ groups, predicted, realised, squares }: Lean) {
  if (groups < LEAN_GROUPS) return null
  const mean = (predicted - realised) / groups
  const spread = Math.max(0, squares - groups * mean * mean) / (groups - 1)
  return {
    groups,
    predicted: digits(predicted / groups),
    realised: digits(realised / groups),
    standardError: digits(Math.sqrt(spread / groups)),
  }
}

function leaning(book: PredictionBook, environments: readonly Named[]): Calibration['leaning'] {
  const all = [...book.environments].flatMap(([ordinal, lean]) => {
    const known = leanOf(lean)
    const environment = environments[ordinal]
    if (known === null || environment === undefined) return []
    const gap = Math.abs(known.predicted - known.realised)
    if (gap < LEAN_LEAST || gap < CLEAR * known.standardError) return []
    const { id, code, name } = environment
    return [{ ...known, id, code, name }]
  })
  const gapOf = (one: (typeof all)[number]) => Math.abs(one.predicted - one.realised)
  return all.sort((a, b) => gapOf(b) - gapOf(a)).slice(0, LEANING)
}

function joinedCells(cells: readonly ErrorCell[]): ErrorCell {
  const sum = emptyCell(COMPARED.length)
  for (const cell of cells) addCell(sum, cell)
  return sum
}

export function calibrationOf({ history, now, environmentOf, environments, reports }: CalibrationGround): Calibration {
  const book = bookOf(history, environmentOf)
  const axis = stepsOf(history, book, reports)
  const models = now.filter(({ kind }) => kind === 'model').map(({ name }) => name)
  const cells = axis.steps.map(({ cell }) => cell)
  const blocks = axis.of === 'batch' ? cells : apart(cells, joinedCells)
  const { groups, squares } = book.all
  return {
    batch: history.batches.at(-1)?.index ?? 0,
    predictors: [...now],
    helps:
      axis.of === 'batch'
        ? graphHelps([...standingsOfBatches(history, book), { rollouts: book.rollouts, predictors: now }])
        : graphHelps(standingsOfBlocks(book.blocks.all), 'blocks of groups'),
    all: partOf(book.all),
    compared: COMPARED.map((name, p) => ({
      name,
      ofCeiling: ofCeiling(book, p),
      behind: p === 0 ? null : behind(blocks, p),
    })),
    reliability: reliabilityOf(book.bins, groups === 0 ? 0 : (squares[0] ?? 0) / groups),
    high: leanOf(book.high),
    leaning: leaning(book, environments),
    depth: book.depth.map((cell, d) => {
      const next = DEPTHS[d + 1]
      return { from: DEPTHS[d] ?? 0, to: next === undefined ? null : next - 1, ...partOf(cell) }
    }),
    evidence: book.evidence.map(({ cell, lean }, k) => ({
      kind: KINDS[k] ?? 'prior',
      ...partOf(cell),
      predicted: lean.groups === 0 ? null : digits(lean.predicted / lean.groups),
      realised: lean.groups === 0 ? null : digits(lean.realised / lean.groups),
    })),
    over: errorsOver(axis, book.blocks.size),
    weights: weightsOver(axis.steps, models),
  }
}
