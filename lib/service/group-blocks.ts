/**
 * Absorbed groups in blocks of equal length, in the order they were absorbed: the time axis of a run that has no batches. Pure.
 * Owns: keeping them few: when there are MOST, neighbours join and a block holds twice as many groups.
 * Invariant: every block but the last is full; sums over blocks are those over groups.
 */
import type { Told } from '@/lib/store/group'
import { addCell, countIn, type ErrorCell, emptyCell, type ScoredGroup } from './error-cell'

const FIRST_LENGTH = 4
const MOST = 400

export interface Block {
  /** groups in it, scored or not */
  length: number
  cell: ErrorCell
  /** rollouts scored, and what each scored predictor lost by them */
  rollouts: number
  loss: Float64Array
  /** of the competing models, before the newest of its groups that tells them */
  weights: number[] | null
}

export interface GroupBlocks {
  /** groups that a full block holds */
  size: number
  predictors: number
  all: Block[]
}

export const newBlocks = (predictors: number): GroupBlocks => ({ size: FIRST_LENGTH, predictors, all: [] })

function joined(first: Block, second: Block): Block {
  addCell(first.cell, second.cell)
  return {
    length: first.length + second.length,
    cell: first.cell,
    rollouts: first.rollouts + second.rollouts,
    loss: first.loss.map((sum, at) => sum + (second.loss[at] ?? 0)),
    weights: second.weights ?? first.weights,
  }
}

/** A group is in even where it is not scored, so that the axis counts all of them. Without `told` it has no loss. */
export function countInBlocks(blocks: GroupBlocks, told: Told | null, scored: ScoredGroup | null): void {
  const losses = told?.loss.map((loss) => loss ?? Number.NaN) ?? []
  let block = blocks.all.at(-1)
  if (block === undefined || block.length >= blocks.size) {
    if (blocks.all.length >= MOST) halve(blocks)
    block = blocks.all.at(-1)
    if (block === undefined || block.length >= blocks.size) {
      block = { length: 0, cell: emptyCell(blocks.predictors), rollouts: 0, loss: new Float64Array(3), weights: null }
      blocks.all.push(block)
    }
  }
  const into = block
  into.length += 1
  if (scored !== null) countIn(into.cell, scored)
  if (told === null || !losses.every(Number.isFinite)) return
  into.rollouts += told.rollouts
  losses.forEach((loss, at) => {
    into.loss[at] = (into.loss[at] ?? 0) + loss
  })
  into.weights = told.weights ?? into.weights
}

function halve(blocks: GroupBlocks): void {
  const { all } = blocks
  const kept: Block[] = []
  for (let i = 0; i < all.length; i += 2) {
    const [first, second] = [all[i], all[i + 1]]
    if (first !== undefined) kept.push(second === undefined ? first : joined(first, second))
  }
  blocks.all = kept
  blocks.size *= 2
}
