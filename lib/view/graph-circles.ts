/**
 * Environments collapsed to circles, and the lines between them.
 * Must never know pixels or colours: a radius is in graph units, a fill is a step of the variance scale.
 * Invariants: area is proportional to tasks over all circles, and no two overlap; at most MOST_PAIRS lines are drawn,
 * the strongest, and those of the selected environment; what is not drawn is counted.
 */
import type { GraphView } from '@/lib/contract/graph'
import type { EdgeFilter } from './graph-edges'
import { MOST_VARIANCE } from './graph-geometry'

export const MOST_PAIRS = 120
/** Lines of the selected environment that are drawn and listed. */
export const LISTED_PAIRS = 8
/** Steps of the variance scale. */
const STEPS = 7
const WIDEST_RING = 4
/** Part of the gap that two circles may take. */
const FILLED = 0.96
/** Most that a circle may be larger than its island. */
const LARGEST = 1.3

type Island = GraphView['environments'][number]

export interface Circle {
  island: number
  x: number
  y: number
  /** graph units */
  radius: number
  /** 0 to 6 of the variance scale */
  step: number
  /** px, 0 where nothing was picked */
  ring: number
}

export const meanVariance = ({ variance, tasks }: Pick<Island, 'variance' | 'tasks'>): number =>
  tasks > 0 ? variance / tasks : 0

/** 0 to 6 over 0 to 0.25; what lies outside takes the nearest. */
export function varianceStep(value: number): number {
  const step = Math.floor((STEPS * value) / MOST_VARIANCE)
  return Number.isFinite(step) ? Math.min(STEPS - 1, Math.max(0, step)) : 0
}

/** Graph units a square root of a task: as large as overlapping allows. O(E²). */
export function circleScale(environments: readonly Island[]): number {
  const filled = environments.filter(({ tasks }) => tasks > 0)
  let scale = filled.reduce((most, { radius, tasks }) => Math.max(most, (LARGEST * radius) / Math.sqrt(tasks)), 0)
  for (const [i, one] of filled.entries()) {
    for (let j = i + 1; j < filled.length; j++) {
      const other = filled[j]
      if (other === undefined) continue
      const gap = Math.hypot(one.x - other.x, one.y - other.y)
      if (gap > 0) scale = Math.min(scale, (FILLED * gap) / (Math.sqrt(one.tasks) + Math.sqrt(other.tasks)))
    }
  }
  return scale
}

/** One circle a closed environment. `closed` holds environment indices. */
export function circlesOf(environments: readonly Island[], closed: ReadonlySet<number>, scale: number): Circle[] {
  const most = environments.reduce((sum, { picks }) => Math.max(sum, picks), 0)
  return [...closed].flatMap((island): Circle[] => {
    const of = environments[island]
    if (of === undefined) return []
    const ring = of.picks > 0 ? 1 + (WIDEST_RING - 1) * (of.picks / most) : 0
    return [
      {
        island,
        x: of.x,
        y: of.y,
        radius: scale * Math.sqrt(of.tasks),
        step: varianceStep(meanVariance(of)),
        ring,
      },
    ]
  })
}

export interface Pair {
  a: number
  b: number
  edges: number
  /** mean weight */
  weight: number
}

export interface ShownPairs {
  /** the strongest, at most MOST_PAIRS */
  drawn: Pair[]
  /** of the selected environment, at most LISTED_PAIRS */
  own: Pair[]
  /** pairs that pass, and all that are stored */
  passing: number
  total: number
}

/** Pairs are filtered as cross edges are: by their mean weight, and by hidden islands. */
export function shownPairs(
  { pairs }: Pick<GraphView, 'pairs'>,
  { on, min }: EdgeFilter['cross'],
  hidden: ReadonlySet<number>,
  selected: number | null,
): ShownPairs {
  const shown: ShownPairs = { drawn: [], own: [], passing: 0, total: pairs.a.length }
  if (!on) return shown
  for (const [i, a] of pairs.a.entries()) {
    const pair = { a, b: pairs.b[i] ?? 0, edges: pairs.edges[i] ?? 0, weight: pairs.weight[i] ?? 0 }
    if (pair.weight < min || hidden.has(a) || hidden.has(pair.b)) continue
    shown.passing += 1
    if (shown.drawn.length < MOST_PAIRS) shown.drawn.push(pair)
    if (selected !== null && (a === selected || pair.b === selected) && shown.own.length < LISTED_PAIRS)
      shown.own.push(pair)
  }
  return shown
}

/** What stands for closed environments; nothing where all are open. */
export interface GraphWorld {
  closed: ReadonlySet<number>
  circles: Circle[]
  pairs: Pair[]
  own: Pair[]
  /** the selected environment */
  island: number | null
}

/** The circle under a point in graph units, or null. */
export function circleAt(circles: readonly Circle[], x: number, y: number): number | null {
  return circles.find((circle) => Math.hypot(circle.x - x, circle.y - y) <= circle.radius)?.island ?? null
}
