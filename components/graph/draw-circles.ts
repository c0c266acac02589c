/**
 * Draws environments as circles: lines between them, fill by mean variance, ring by picks, names inside large ones.
 * Must never know Sigma or React. Invariant: a circle with its name inside has none beside it (`namedInside`).
 */
import { formatFixed } from '@/lib/view/format'
import type { Circle, Pair } from '@/lib/view/graph-circles'
import { circle, type Drawing, shoreLine } from './drawing'
import { type Frame, toScreen } from './graph-frame'

/** px of radius from which a name stands inside. */
const INSIDE_FROM = 27

/** A dimmed circle has its name beside it, where it can be read. */
export const namedInside = ({ radius }: Circle, frame: Frame, dim: number) =>
  dim === 0 && radius * frame.unit >= INSIDE_FROM

export function drawCircles(context: CanvasRenderingContext2D, frame: Frame, drawing: Drawing): void {
  const { world, hidden } = drawing
  const shown = world.circles.filter(({ island }) => !hidden.has(island))
  if (shown.length === 0) return
  const width = (pair: Pair) => 0.75 + 1.25 * pair.weight
  for (const pair of world.pairs)
    drawPair(context, frame, drawing, pair, world.island === null ? 0.42 : 0.26, width(pair))
  for (const one of shown) drawCircle(context, frame, drawing, one)
  for (const pair of world.own) drawPair(context, frame, drawing, pair, 0.95, width(pair) + 0.5)
  for (const one of shown) if (namedInside(one, frame, drawing.scene.dim)) writeInside(context, frame, drawing, one)
}

function reachOf({ world, graph }: Drawing, island: number): number {
  return world.circles.find((one) => one.island === island)?.radius ?? graph.environments[island]?.radius ?? 0
}

function drawPair(
  context: CanvasRenderingContext2D,
  frame: Frame,
  drawing: Drawing,
  { a, b }: Pair,
  alpha: number,
  width: number,
): void {
  const [one, other] = [drawing.graph.environments[a], drawing.graph.environments[b]]
  if (one === undefined || other === undefined) return
  context.globalAlpha = alpha
  context.strokeStyle = drawing.colours.cross
  context.lineWidth = width
  context.setLineDash([6, 4])
  context.beginPath()
  shoreLine(
    context,
    toScreen(frame, one.x, one.y),
    toScreen(frame, other.x, other.y),
    reachOf(drawing, a) * frame.unit,
    reachOf(drawing, b) * frame.unit,
  )
  context.stroke()
  context.setLineDash([])
  context.globalAlpha = 1
}

function drawCircle(context: CanvasRenderingContext2D, frame: Frame, drawing: Drawing, one: Circle): void {
  const { colours, world } = drawing
  const { x, y } = toScreen(frame, one.x, one.y)
  const radius = Math.max(1.5, one.radius * frame.unit)
  context.fillStyle = colours.seq[one.step] ?? colours.ink3
  circle(context, x, y, radius)
  context.fill()
  context.strokeStyle = colours.ink1
  if (one.ring > 0) {
    // a small circle keeps some of its fill
    const ring = Math.min(one.ring, 0.4 * radius)
    circle(context, x, y, radius - ring / 2)
    context.lineWidth = ring
    context.stroke()
  }
  const rings =
    one.island === world.island
      ? [
          [2.5, 1.25],
          [6, 2.5],
        ]
      : one.island === drawing.hoverIsland
        ? [[2.5, 1.25]]
        : []
  for (const [gap = 0, width = 1] of rings) {
    circle(context, x, y, radius + gap)
    context.lineWidth = width
    context.stroke()
  }
}

/** Brightness of "rgb(r, g, b)", 0 to 1. */
function brightness(colour: string): number {
  const [r = 0, g = 0, b = 0] = (colour.match(/\d+(\.\d+)?/g) ?? []).map(Number)
  return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255
}

/** Ink or paper, whichever parts more from the fill; the halo is the step next to the fill that parts more still. */
function writeInside(context: CanvasRenderingContext2D, frame: Frame, drawing: Drawing, one: Circle): void {
  const { colours, graph, font } = drawing
  const island = graph.environments[one.island]
  if (island === undefined) return
  const apart = (a: string, b: string) => Math.abs(brightness(a) - brightness(b))
  const fill = colours.seq[one.step] ?? colours.ink3
  const text = apart(colours.ink1, fill) > apart(colours.surface, fill) ? colours.ink1 : colours.surface
  const halo = [colours.seq[one.step - 1], fill, colours.seq[one.step + 1]]
    .filter((colour) => colour !== undefined)
    .sort((p, q) => apart(q, text) - apart(p, text))[0]
  const { x, y } = toScreen(frame, one.x, one.y)
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.lineJoin = 'round'
  context.lineWidth = 3
  context.strokeStyle = halo ?? fill
  context.fillStyle = text
  const room = 2 * one.radius * frame.unit - 12
  const lines = [
    [`500 12px ${font}`, island.name, -6],
    [`400 11px ${font}`, formatFixed(island.tasks, 0), 7],
  ] as const
  for (const [face, words, down] of lines) {
    context.font = face
    const fitting = context.measureText(words).width <= room || down > 0 ? words : island.code
    context.strokeText(fitting, x, y + down)
    context.fillText(fitting, x, y + down)
  }
  context.textAlign = 'start'
}
