/**
 * Draws what lies below the nodes: islands as discs, bridges between them, and collapsed environments.
 * Must never know Sigma or React.
 */
import { drawCircles } from './draw-circles'
import { circle, type Drawing, shoreLine } from './drawing'
import { type Frame, toScreen } from './graph-frame'

const ISLAND_ALPHA = 0.13

/** Islands as discs while their tasks are dots, and the bridges between them. */
export function drawBelow(context: CanvasRenderingContext2D, frame: Frame, drawing: Drawing): void {
  const { graph, hues, hidden, scene, colours } = drawing
  context.clearRect(0, 0, frame.width, frame.height)
  // a disc helps where tasks are under 2.5 px wide and would only disturb where they are large
  const alpha = ISLAND_ALPHA * Math.min(1, Math.max(0, (2.4 - 3 * frame.unit) / 1.2))
  for (const [i, island] of graph.environments.entries()) {
    if (hidden.has(i) || drawing.world.closed.has(i) || alpha <= 0) continue
    const { x, y } = toScreen(frame, island.x, island.y)
    context.globalAlpha = alpha
    context.fillStyle = colours.hues[hues[i] ?? 0] ?? colours.ink3
    circle(context, x, y, island.radius * frame.unit)
    context.fill()
  }
  context.setLineDash([4, 4])
  context.strokeStyle = colours.cross
  for (const bridge of scene.bridges) {
    const a = graph.environments[bridge.a]
    const b = graph.environments[bridge.b]
    if (a === undefined || b === undefined) continue
    context.globalAlpha = 0.2 + 0.45 * bridge.strength
    context.lineWidth = 0.7 + 2 * bridge.strength
    const from = toScreen(frame, a.x, a.y)
    const to = toScreen(frame, b.x, b.y)
    context.beginPath()
    shoreLine(context, from, to, a.radius * frame.unit, b.radius * frame.unit)
    context.stroke()
  }
  context.setLineDash([])
  context.globalAlpha = 1
  drawCircles(context, frame, drawing)
}
