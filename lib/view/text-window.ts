/* Owns which part of a long text is on the page. Invariant: what is shown never exceeds one window and a bit, whatever the text. */

export const WINDOW = 4000
/** A little more than a window is shown whole: a second window with three words would help nobody. */
const WHOLE = 6000

export interface TextWindow {
  from: number
  to: number
  /** windows in all; 1 = the text is whole */
  count: number
}

/** The window at a position, which may be any number. */
export function textWindow(length: number, at: number): TextWindow {
  if (length <= WHOLE) return { from: 0, to: length, count: 1 }
  const count = Math.ceil(length / WINDOW)
  const index = Math.min(count - 1, Math.max(0, Number.isFinite(at) ? Math.floor(at) : 0))
  return { from: index * WINDOW, to: Math.min(length, (index + 1) * WINDOW), count }
}
