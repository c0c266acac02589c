/** What a canvas of the graph page draws from, and the few marks that all of them share. */
import type { GraphView } from '@/lib/contract/graph'
import type { GraphWorld } from '@/lib/view/graph-circles'
import type { Scene } from '@/lib/view/graph-scene'
import type { GraphColours } from './graph-colours'
import { type Frame, type Point, toScreen } from './graph-frame'

export interface Drawing {
  graph: GraphView
  /** graph units by node */
  radius: Float32Array
  /** hue by island */
  hues: readonly number[]
  hidden: ReadonlySet<number>
  /** environments drawn as circles */
  world: GraphWorld
  scene: Scene
  colours: GraphColours
  font: string
  /** the node, and the circle, that the pointer is on */
  hover: number | null
  hoverIsland: number | null
}

export const nodeAt = (drawing: Drawing, frame: Frame, node: number): Point =>
  toScreen(frame, drawing.graph.nodes.x[node] ?? 0, drawing.graph.nodes.y[node] ?? 0)

export const radiusOf = (drawing: Drawing, frame: Frame, node: number) => (drawing.radius[node] ?? 2) * frame.unit

export function circle(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  context.beginPath()
  context.arc(x, y, Math.max(0, radius), 0, 2 * Math.PI)
}

export function onScreen({ width, height }: Frame, { x, y }: Point, margin: number): boolean {
  return x > -margin && y > -margin && x < width + margin && y < height + margin
}

/** From shore to shore: a bridge does not cross the tasks of its islands. */
export function shoreLine(
  context: CanvasRenderingContext2D,
  a: Point,
  b: Point,
  radiusA: number,
  radiusB: number,
): void {
  const length = Math.hypot(b.x - a.x, b.y - a.y)
  if (length <= radiusA + radiusB) return
  const at = (distance: number) => ({
    x: a.x + ((b.x - a.x) * distance) / length,
    y: a.y + ((b.y - a.y) * distance) / length,
  })
  const start = at(radiusA)
  const end = at(length - radiusB)
  context.moveTo(start.x, start.y)
  context.lineTo(end.x, end.y)
}
