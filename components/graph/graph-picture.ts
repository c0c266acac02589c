/** Canvases of ours at the screen's resolution, and one picture of all that is drawn. Must never know what is on them. */
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

/** Lays the canvases over each other on `background`; all must be drawn in this task. Null where it cannot be made. */
export function composePicture(layers: readonly HTMLCanvasElement[], background: string): Promise<Blob | null> {
  const picture = document.createElement('canvas')
  picture.width = Math.max(1, ...layers.map((layer) => layer.width))
  picture.height = Math.max(1, ...layers.map((layer) => layer.height))
  const context = picture.getContext('2d')
  if (context === null) return Promise.resolve(null)
  context.fillStyle = background
  context.fillRect(0, 0, picture.width, picture.height)
  for (const layer of layers) context.drawImage(layer, 0, 0, picture.width, picture.height)
  return new Promise((resolve) => picture.toBlob(resolve, 'image/png'))
}
