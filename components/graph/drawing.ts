/** What a canvas of the graph page draws from, and the few marks that all of them share. */
import type { GraphView } from '@/lib/contract/graph'
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
  scene: Scene
  colours: GraphColours
  font: string
  hover: number | null
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
