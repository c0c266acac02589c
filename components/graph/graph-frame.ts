/** How graph units lie on the screen in one frame: px = origin + factor x units. y grows downwards on the screen. */
export interface Frame {
  width: number
  height: number
  x0: number
  y0: number
  /** px a graph unit along x */
  unit: number
  /** px a graph unit along y; negative, as y grows upwards in the graph */
  up: number
}

export interface Point {
  x: number
  y: number
}

export function toScreen(frame: Frame, x: number, y: number): Point {
  return { x: frame.x0 + frame.unit * x, y: frame.y0 + frame.up * y }
}
