/* Owns the places at which compared runs were evaluated. Between two evaluations of its own a run lies on the straight line that the
   chart draws anyway; before its first and after its last it has no value. */
import type { ComparedRun } from '@/lib/contract/comparison'
import { niceTicks } from './axis'

export interface ScorePlace {
  x: number
  /** by run id */
  values: Record<string, number | null>
}

type Point = ComparedRun['scores'][number]['points'][number]

const pointsOf = (run: ComparedRun, name: string): Point[] =>
  run.scores.find((score) => score.name === name)?.points ?? []

function between(points: readonly Point[], x: number): number | null {
  const after = points.findIndex((point) => point.x >= x)
  const [next, before] = [points[after], points[after - 1]]
  if (next === undefined) return null
  if (next.x === x) return next.value
  if (before === undefined) return null
  return before.value + ((next.value - before.value) * (x - before.x)) / (next.x - before.x)
}

export function scorePlaces(runs: readonly ComparedRun[], name: string): ScorePlace[] {
  const all = new Set(runs.flatMap((run) => pointsOf(run, name).map(({ x }) => x)))
  return [...all]
    .sort((a, b) => a - b)
    .map((x) => ({ x, values: Object.fromEntries(runs.map((run) => [run.id, between(pointsOf(run, name), x)])) }))
}

export function scoreTicks(runs: readonly ComparedRun[], name: string): number[] {
  const values = runs.flatMap((run) => pointsOf(run, name).map(({ value }) => value))
  return niceTicks(Math.min(...values), Math.max(...values), 3)
}
