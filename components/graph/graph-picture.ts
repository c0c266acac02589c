/** Canvases of ours at the screen's resolution, and one picture of all that is drawn. Must never know what is on them. */
import { type GraphColours, readColours } from './graph-colours'
import type { Frame } from './graph-frame'

/** The 2D context sized to the frame, scaled so that one unit is one CSS px; null before the canvas is there. */
export function prepared(canvas: HTMLCanvasElement | null, { width, height }: Frame): CanvasRenderingContext2D | null {
  if (canvas === null) return null
  const ratio = window.devicePixelRatio
  const wanted = { width: Math.round(width * ratio), height: Math.round(height * ratio) }
  if (canvas.width !== wanted.width || canvas.height !== wanted.height) Object.assign(canvas, wanted)
  const context = canvas.getContext('2d')
  context?.setTransform(ratio, 0, 0, ratio, 0, 0)
  return context
}

export interface Caption {
  lines: readonly string[]
  font: string
  /** the legend is that of circles */
  isCollapsed: boolean
  /** lowest line that holds anything, px from the top: what lies under it is left out */
  bottom: number
}

const LINE = 17
const MARGIN = 14
const LEGEND = 26
/** least height of the drawing */
const LEAST = 160

/** Lays the canvases over each other, legend and caption below; all must be drawn in this task. Null where it cannot be made. */
export function composePicture(layers: readonly HTMLCanvasElement[], caption: Caption): Promise<Blob | null> {
  const picture = document.createElement('canvas')
  const ratio = window.devicePixelRatio
  const width = Math.max(1, ...layers.map((layer) => layer.width))
  const whole = Math.max(1, ...layers.map((layer) => layer.height))
  const height = Math.max(1, Math.min(whole, Math.round(ratio * Math.max(LEAST, caption.bottom))))
  const context = picture.getContext('2d')
  if (context === null) return Promise.resolve(null)
  context.font = `400 12px ${caption.font}`
  const lines = caption.lines.flatMap((line) => wrapped(context, line, width / ratio - 2 * MARGIN))
  picture.width = width
  picture.height = height + Math.round(ratio * (LEGEND + LINE * lines.length + MARGIN))
  const colours = readColours()
  context.fillStyle = colours.surface
  context.fillRect(0, 0, picture.width, picture.height)
  for (const layer of layers) context.drawImage(layer, 0, 0, width, whole)
  context.fillRect(0, height, picture.width, picture.height - height)
  context.setTransform(ratio, 0, 0, ratio, 0, height)
  context.font = `400 12px ${caption.font}`
  context.textBaseline = 'middle'
  drawLegend(context, caption.isCollapsed, colours)
  context.fillStyle = colours.ink2
  for (const [i, line] of lines.entries()) context.fillText(line, MARGIN, LEGEND + LINE * (i + 0.5))
  return new Promise((resolve) => picture.toBlob(resolve, 'image/png'))
}

function wrapped(context: CanvasRenderingContext2D, text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && context.measureText(longer).width > width) {
      lines.push(line)
      line = word
    } else line = longer
  }
  return [...lines, line]
}

function drawLegend(context: CanvasRenderingContext2D, isCollapsed: boolean, colours: GraphColours): void {
  const y = LEGEND / 2
  let x = MARGIN
  const word = (text: string) => {
    context.fillStyle = colours.ink2
    context.fillText(text, x, y)
    x += context.measureText(text).width + 18
  }
  const line = (colour: string, dash: number[]) => {
    context.strokeStyle = colour
    context.lineWidth = 1.75
    context.setLineDash(dash)
    context.beginPath()
    context.moveTo(x, y)
    context.lineTo(x + 22, y)
    context.stroke()
    context.setLineDash([])
    x += 28
  }
  const disc = (radius: number, fill: string | null) => {
    context.beginPath()
    context.arc(x + radius, y, radius, 0, 2 * Math.PI)
    context.lineWidth = 1.25
    context.strokeStyle = colours.ink1
    context.fillStyle = fill ?? colours.surface
    if (fill === null) context.stroke()
    else context.fill()
    x += 2 * radius + 5
  }
  if (!isCollapsed) {
    line(colours.within, [])
    word('within')
  }
  line(colours.cross, [7, 4])
  word(isCollapsed ? 'cross edges between two environments' : 'cross')
  if (isCollapsed) {
    for (const step of colours.seq) {
      context.fillStyle = step
      context.fillRect(x, y - 5, 14, 10)
      x += 14
    }
    x += 6
    word('mean variance 0 to 0.25')
    for (const radius of [3, 6]) disc(radius, null)
    word('area: tasks')
    word('ring: picks')
    return
  }
  for (const radius of [2, 3.5, 5.2]) disc(radius, colours.ink2)
  word('predicted variance')
  disc(4, null)
  word('not tried yet')
  word('ring: picked')
}
