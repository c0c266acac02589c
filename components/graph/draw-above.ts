/**
 * Draws what lies above the nodes: dimming, rings of picks, paths, tasks at full strength, the selection, labels.
 * Must never know Sigma or React. Invariant: at most some hundred marks a frame, so a frame stays cheap.
 */
import { bentThrough } from '@/lib/view/graph-geometry'
import { drawLabels, type IslandLabel } from './draw-labels'
import { circle, type Drawing, nodeAt, onScreen, radiusOf } from './drawing'
import type { Frame } from './graph-frame'

/** Everything above the nodes. Answers where the islands' names stand. */
export function drawAbove(context: CanvasRenderingContext2D, frame: Frame, drawing: Drawing): IslandLabel[] {
  const { scene, colours } = drawing
  context.clearRect(0, 0, frame.width, frame.height)
  if (scene.dim > 0) {
    context.globalAlpha = scene.dim
    context.fillStyle = colours.surface
    context.fillRect(0, 0, frame.width, frame.height)
    context.globalAlpha = 1
  }
  drawRings(context, frame, drawing, scene.rings.quiet, 1, 0.42)
  drawPaths(context, frame, drawing)
  drawLit(context, frame, drawing)
  drawRings(context, frame, drawing, scene.rings.strong, scene.dim > 0 ? 1.5 : 1.25, 1)
  drawSelected(context, frame, drawing)
  return drawLabels(context, frame, drawing)
}

function drawRings(
  context: CanvasRenderingContext2D,
  frame: Frame,
  drawing: Drawing,
  nodes: readonly number[],
  width: number,
  alpha: number,
): void {
  context.strokeStyle = drawing.colours.ink1
  context.lineWidth = width
  context.globalAlpha = alpha
  for (const node of nodes) {
    const at = nodeAt(drawing, frame, node)
    if (!onScreen(frame, at, 40)) continue
    circle(context, at.x, at.y, radiusOf(drawing, frame, node) + 2.2)
    context.stroke()
  }
  context.globalAlpha = 1
}

function drawPaths(context: CanvasRenderingContext2D, frame: Frame, drawing: Drawing): void {
  const { scene, colours } = drawing
  context.lineCap = 'butt'
  for (const { source, target, kind, width, alpha } of scene.paths) {
    const from = nodeAt(drawing, frame, source)
    const to = nodeAt(drawing, frame, target)
    const through = bentThrough(to, from, kind === 'cross' ? -0.16 : -0.07)
    context.globalAlpha = alpha
    context.strokeStyle = kind === 'cross' ? colours.cross : colours.within
    context.lineWidth = width
    context.setLineDash(kind === 'cross' ? (width < 1.5 ? [4, 3] : [7, 4]) : [])
    context.beginPath()
    context.moveTo(to.x, to.y)
    context.quadraticCurveTo(through.x, through.y, from.x, from.y)
    context.stroke()
  }
  context.setLineDash([])
  context.globalAlpha = 1
}

function drawLit(context: CanvasRenderingContext2D, frame: Frame, drawing: Drawing): void {
  const { graph, hues, colours, scene } = drawing
  context.lineWidth = 1
  context.strokeStyle = colours.surface
  const least = scene.lit.length > 200 ? 2 : 3.4
  for (const node of scene.lit) {
    const at = nodeAt(drawing, frame, node)
    if (!onScreen(frame, at, 40)) continue
    const hue = hues[graph.nodes.environment[node] ?? 0] ?? 0
    context.fillStyle = colours.hues[hue] ?? colours.ink3
    circle(context, at.x, at.y, Math.max(least, radiusOf(drawing, frame, node)))
    context.fill()
    context.stroke()
  }
}

/** The selected task: a heavy double ring in ink. */
function drawSelected(context: CanvasRenderingContext2D, frame: Frame, drawing: Drawing): void {
  const { scene, colours } = drawing
  if (scene.selected === null) return
  const at = nodeAt(drawing, frame, scene.selected)
  const radius = Math.max(4.6, radiusOf(drawing, frame, scene.selected))
  context.strokeStyle = colours.ink1
  for (const [gap, width] of [
    [2.6, 1.5],
    [6.6, 2.5],
  ] as const) {
    circle(context, at.x, at.y, radius + gap)
    context.lineWidth = width
    context.stroke()
  }
}
