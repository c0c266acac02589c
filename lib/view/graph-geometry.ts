/**
 * Sizes and curves of the graph drawing. Graph units unless said otherwise; tasks of one island lie 10 units apart.
 * Invariant: no two nodes overlap at any zoom, since the largest radius is under half that distance.
 */
import type { GraphView } from '@/lib/contract/graph'

/** Largest predicted variance of a reward in [0, 1]. */
export const MOST_VARIANCE = 0.25

/** 1.8 with no predicted variance, 4.4 at 0.25. */
export function nodeRadius(predictedVariance: number): number {
  const part = Math.min(1, Math.max(0, predictedVariance / MOST_VARIANCE))
  return 1.8 + 2.6 * Math.sqrt(part)
}

export interface Extent {
  x: [number, number]
  y: [number, number]
}

/** The box around all islands; around the origin where there are none. */
export function islandsExtent(environments: GraphView['environments']): Extent {
  if (environments.length === 0) return { x: [-1, 1], y: [-1, 1] }
  const least = (of: (island: GraphView['environments'][number]) => number) => Math.min(...environments.map(of))
  return {
    x: [least(({ x, radius }) => x - radius), -least(({ x, radius }) => -x - radius)],
    y: [least(({ y, radius }) => y - radius), -least(({ y, radius }) => -y - radius)],
  }
}

interface Point {
  x: number
  y: number
}

/** Control point of a quadratic curve from a to b that bends by `bend` of its length, always to the same side. */
export function bentThrough(a: Point, b: Point, bend: number): Point {
  return { x: (a.x + b.x) / 2 - (b.y - a.y) * bend, y: (a.y + b.y) / 2 + (b.x - a.x) * bend }
}
