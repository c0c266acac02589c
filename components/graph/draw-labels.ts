/**
 * Draws names: of the hovered and the selected task, of large contributors, of islands, of all tasks when near.
 * Must never know Sigma or React. Invariant: at most 150 task names and 24 island names a frame.
 */
import { formatFixed } from '@/lib/view/format'
import { type Box, islandSides, type LabelWish, placeLabels, type Side } from '@/lib/view/graph-labels'
import { namedInside } from './draw-circles'
import { type Drawing, nodeAt, onScreen, radiusOf } from './drawing'
import type { GraphColours } from './graph-colours'
import { type Frame, type Point, toScreen } from './graph-frame'

const ISLAND_LABELS = 24
/** Tasks are named where they lie this far apart, px. */
const NAMED_FROM = 64
const TASK_SIDES: readonly Side[] = ['right', 'left', 'above', 'below']

/** Where an island's name was drawn, to be clicked. */
export interface IslandLabel {
  island: number
  left: number
  top: number
  right: number
  bottom: number
}

interface Text {
  text: string
  figure: string
  font: string
  figureFont: string
  colour: string
  halo: number
  island: number | null
}

export function drawLabels(context: CanvasRenderingContext2D, frame: Frame, drawing: Drawing): IslandLabel[] {
  const texts: Text[] = []
  const wishes: LabelWish[] = []
  context.textBaseline = 'middle'
  const add = (text: Text, at: Point, gap: number, kept: boolean, sides: readonly Side[]) => {
    context.font = text.font
    let width = context.measureText(text.text).width
    if (text.figure !== '') {
      context.font = text.figureFont
      width += 4 + context.measureText(text.figure).width
    }
    texts.push(text)
    wishes.push({ ...at, gap, width, height: 15, kept, sides })
  }
  // islands first: their names stay where they are, whatever task is selected
  addIslandLabels(frame, drawing, add)
  addTaskLabels(frame, drawing, add)
  const islands: IslandLabel[] = []
  context.lineJoin = 'round'
  for (const { index, x, y, led } of placeLabels(wishes, frame, [
    ...selectedBox(frame, drawing),
    ...circleBoxes(frame, drawing),
  ])) {
    const text = texts[index]
    const wish = wishes[index]
    if (text === undefined || wish === undefined) continue
    if (led) lead(context, wish, x, y, drawing.colours)
    write(context, text, x, y, drawing.colours)
    if (text.island !== null) {
      islands.push({ island: text.island, left: x - 4, top: y - 12, right: x + wish.width + 4, bottom: y + 12 })
    }
  }
  return islands
}

type AddLabel = (text: Text, at: Point, gap: number, kept: boolean, sides: readonly Side[]) => void

function addTaskLabels(frame: Frame, drawing: Drawing, add: AddLabel): void {
  const { graph, scene, colours, font, hover } = drawing
  const style = (text: string, figure: string | null, strong: boolean): Text => ({
    text,
    figure: figure ?? '',
    font: strong ? `600 13px ${font}` : `500 12px ${font}`,
    figureFont: `400 12px ${font}`,
    colour: colours.ink1,
    halo: 4,
    island: null,
  })
  const named = new Set<number>()
  const name = (node: number, figure: string | null, strong: boolean, kept: boolean) => {
    const at = nodeAt(drawing, frame, node)
    if (named.has(node) || !onScreen(frame, at, 0)) return
    named.add(node)
    const ring = node === scene.selected ? 14 : 9
    const key = graph.nodes.key[node] ?? ''
    add(
      style(shortened(key), figure, strong),
      at,
      Math.max(3.4, radiusOf(drawing, frame, node)) + ring - 4,
      kept,
      TASK_SIDES,
    )
  }
  if (hover !== null && !drawing.hidden.has(graph.nodes.environment[hover] ?? -1)) {
    name(hover, formatFixed(graph.nodes.predictedVariance[hover] ?? 0, 3), false, true)
  }
  for (const label of scene.labels) name(label.node, label.figure, label.strong, label.kept)
  if (10 * frame.unit < NAMED_FROM) return
  for (let node = 0; node < graph.nodes.id.length && named.size < 150; node++) {
    const island = graph.nodes.environment[node] ?? -1
    if (!drawing.hidden.has(island) && !drawing.world.closed.has(island)) name(node, null, false, false)
  }
}

function addIslandLabels(frame: Frame, drawing: Drawing, add: AddLabel): void {
  const { graph, colours, font, hidden, world, hoverIsland } = drawing
  const circles = new Map(world.circles.map((one) => [one.island, one]))
  const radiusAt = (i: number) => circles.get(i)?.radius ?? graph.environments[i]?.radius ?? 0
  const wanted = (i: number) => i === hoverIsland || i === world.island
  const seen = [...graph.environments.entries()]
    .filter(([i, island]) => {
      const at = toScreen(frame, island.x, island.y)
      const inside = circles.get(i)
      if (hidden.has(i) || (inside !== undefined && namedInside(inside, frame, drawing.scene.dim))) return false
      return onScreen(frame, at, radiusAt(i) * frame.unit)
    })
    .sort(([i, a], [j, b]) => Number(wanted(j)) - Number(wanted(i)) || b.tasks - a.tasks)
    .slice(0, ISLAND_LABELS)
  const places = [...graph.environments.entries()].flatMap(([i, { x, y }]) =>
    hidden.has(i) ? [] : [{ ...toScreen(frame, x, y), radius: radiusAt(i) * frame.unit, island: i }],
  )
  for (const [i, island] of seen) {
    const strong = wanted(i)
    const text: Text = {
      text: `${shortened(island.name)} ${formatFixed(island.tasks, 0)}`,
      figure: '',
      font: `${strong ? 500 : 400} ${strong ? 12 : 11}px ${font}`,
      figureFont: '',
      colour: strong ? colours.ink1 : colours.ink3,
      halo: 3,
      island: i,
    }
    const gap = radiusAt(i) * frame.unit + (strong ? 9 : 4)
    const others = places.filter(({ island: other }) => other !== i)
    const at = toScreen(frame, island.x, island.y)
    add(text, at, gap, strong, islandSides({ ...at, radius: gap }, others))
  }
}

function shortened(name: string): string {
  return name.length > 32 ? `${name.slice(0, 31)}…` : name
}

function write(context: CanvasRenderingContext2D, text: Text, x: number, y: number, colours: GraphColours): void {
  context.lineWidth = text.halo
  context.strokeStyle = colours.surface
  context.font = text.font
  const end = x + context.measureText(text.text).width + 4
  context.strokeText(text.text, x, y)
  if (text.figure !== '') {
    context.font = text.figureFont
    context.strokeText(text.figure, end, y)
    context.fillStyle = colours.ink2
    context.fillText(text.figure, end, y)
    context.font = text.font
  }
  context.fillStyle = text.colour
  context.fillText(text.text, x, y)
}

/** No text covers the rings of the selected task. */
function selectedBox(frame: Frame, drawing: Drawing): Box[] {
  const { selected } = drawing.scene
  if (selected === null) return []
  const { x, y } = nodeAt(drawing, frame, selected)
  const reach = Math.max(4.6, radiusOf(drawing, frame, selected)) + 7
  return [{ left: x - reach, right: x + reach, top: y - reach, bottom: y + reach }]
}

/** No name of one circle covers another; corners are left free. */
function circleBoxes(frame: Frame, { world, hidden }: Drawing): Box[] {
  return world.circles.flatMap((one) => {
    if (hidden.has(one.island)) return []
    const { x, y } = toScreen(frame, one.x, one.y)
    const reach = 0.8 * one.radius * frame.unit
    return [{ left: x - reach, right: x + reach, top: y - reach, bottom: y + reach }]
  })
}

/** A thin line from a text that stands further out back to its mark. */
function lead(context: CanvasRenderingContext2D, wish: LabelWish, x: number, y: number, colours: GraphColours): void {
  const nearest = Math.min(Math.max(wish.x, x), x + wish.width)
  context.strokeStyle = colours.ink3
  context.lineWidth = 0.75
  context.beginPath()
  context.moveTo(wish.x, wish.y)
  context.lineTo(nearest, y + Math.sign(wish.y - y) * 6)
  context.stroke()
}
