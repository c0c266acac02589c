/**
 * The key that a mistyped one is nearest to, and in which way they differ. Pure.
 * Invariant: a key that is far from all has no nearest one: over two edits and over two fifths of its length.
 * Cost: keys x length x length, of those whose length differs by less than the best distance so far.
 */

export interface Nearest {
  key: string
  distance: number
}

/** Keys longer than this are compared by their beginning. */
const LONGEST = 120

export function nearestKey(wanted: string, keys: Iterable<string>): Nearest | null {
  const most = Math.max(2, Math.floor(wanted.length * 0.4))
  let best: Nearest | null = null
  for (const key of keys) {
    const limit = best === null ? most : best.distance - 1
    if (limit < 0) break
    const distance = editDistance(wanted.slice(0, LONGEST), key.slice(0, LONGEST), limit)
    if (distance !== null) best = { key, distance }
  }
  return best
}

/** Levenshtein distance, or null where it is over `limit`. */
export function editDistance(a: string, b: string, limit: number): number | null {
  if (Math.abs(a.length - b.length) > limit) return null
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    let least = i
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      const value = Math.min((row[j - 1] ?? 0) + same, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1)
      next.push(value)
      least = Math.min(least, value)
    }
    if (least > limit) return null
    row = next
  }
  const distance = row[b.length] ?? 0
  return distance > limit ? null : distance
}

/** How a key becomes the right one, as a function; null where it is no single rule. */
export function mending(wrong: string, right: string): ((key: string) => string) | null {
  if (wrong === right) return null
  if (wrong.toLowerCase() === right) return (key) => key.toLowerCase()
  const pair = replacedPair(wrong, right)
  if (pair !== null) return (key) => key.replaceAll(pair[0], pair[1])
  if (wrong.trim() === right) return (key) => key.trim()
  if (wrong.endsWith(right)) return (key) => key.slice(wrong.length - right.length)
  if (wrong.startsWith(right)) return (key) => key.slice(0, key.length - (wrong.length - right.length))
  if (right.endsWith(wrong)) return (key) => right.slice(0, right.length - wrong.length) + key
  if (right.startsWith(wrong)) return (key) => key + right.slice(wrong.length)
  return null
}

/** The one character that stands for another throughout. */
function replacedPair(wrong: string, right: string): [string, string] | null {
  if (wrong.length !== right.length) return null
  let pair: [string, string] | null = null
  for (let i = 0; i < wrong.length; i += 1) {
    const [from = '', to = ''] = [wrong[i], right[i]]
    if (from === to) continue
    if (pair !== null && (pair[0] !== from || pair[1] !== to)) return null
    pair = [from, to]
  }
  return pair !== null && wrong.replaceAll(pair[0], pair[1]) === right ? pair : null
}
