/**
 * Cuts the long texts of a trajectory, so that a page opens at once whatever a tool printed. Pure.
 * Invariant: messages keep their number, order and fields; a text that is cut ends in nothing that it did not hold.
 */

/** Texts inside messages, however deep, to `cut` characters each; `left` counts what was left out. */
export function cutMessages<Message>(
  messages: Message[] | null,
  cut: number | null,
): { messages: Message[] | null; left: number } {
  if (messages === null || cut === null) return { messages, left: 0 }
  let left = 0
  const shorten = (value: unknown): unknown => {
    if (typeof value === 'string') {
      if (value.length <= cut) return value
      left += value.length - cut
      return value.slice(0, cut)
    }
    if (Array.isArray(value)) return value.map(shorten)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shorten(inner)]))
  }
  return { messages: messages.map((message) => shorten(message) as Message), left }
}
