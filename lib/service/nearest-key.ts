/**
 * The key that a mistyped one is nearest to, and in which way they differ. Pure.
 * Invariant: a key that is far from all has no nearest one: over two edits and over two fifths of its length.
 * Cost: bounded, since it is asked while trainers wait: WORK cells are compared at most, and then the nearest so far is answered.
 */

export interface Nearest {
  key: string
  distance: number
}

/** Keys longer than this are compared by their beginning. */
const LONGEST = 120
/** Cells of all tables together: some tens of milliseconds. */
const WORK = 6_000_000

export function nearestKey(wanted: string, keys: Iterable<string>): Nearest | null {
  const most = Math.max(2, Math.floor(wanted.length * 0.4))
  const sought = wanted.slice(0, LONGEST)
  const signs = signsOf(sought)
  let best: Nearest | null = null
  let work = 0
  for (const key of keys) {
    const limit: number = best === null ? most : best.distance - 1
    if (limit < 0 || work > WORK) break
    const beginning = key.slice(0, LONGEST)
    if (Math.abs(sought.length - beginning.length) > limit || apart(signs, sought.length, beginning) > limit) continue
    work += sought.length * Math.min(beginning.length, 2 * limit + 1)
    const distance = editDistance(sought, beginning, limit)
    if (distance !== null) best = { key, distance }
  }
  return best
}

const SIGNS = 128
/** How often each sign is there; signs beyond ASCII share places. */
function signsOf(text: string): Int16Array {
  const counts = new Int16Array(SIGNS)
  for (let i = 0; i < text.length; i += 1)
    counts[text.charCodeAt(i) % SIGNS] = (counts[text.charCodeAt(i) % SIGNS] ?? 0) + 1
  return counts
}

const left = new Int16Array(SIGNS)
/** Edits that two texts are apart at least, by their signs alone. */
function apart(signs: Int16Array, length: number, other: string): number {
  left.set(signs)
  let both = 0
  for (let i = 0; i < other.length; i += 1) {
    const sign = other.charCodeAt(i) % SIGNS
    const there = left[sign] ?? 0
    if (there === 0) continue
    left[sign] = there - 1
    both += 1
  }
  return Math.max(length, other.length) - both
}

/** Levenshtein distance, or null where it is over `limit`. Only cells within `limit` of the diagonal are looked at. */
export function editDistance(a: string, b: string, limit: number): number | null {
  if (Math.abs(a.length - b.length) > limit) return null
  const far = limit + 1
  let row = Array.from({ length: b.length + 1 }, (_, j) => Math.min(j, far))
  let next = new Array<number>(b.length + 1).fill(far)
  for (let i = 1; i <= a.length; i += 1) {
    const from = Math.max(1, i - limit)
    const to = Math.min(b.length, i + limit)
    next[from - 1] = from === 1 ? Math.min(i, far) : far
    let least = next[from - 1] ?? far
    for (let j = from; j <= to; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      const value = Math.min((row[j - 1] ?? far) + same, (row[j] ?? far) + 1, (next[j - 1] ?? far) + 1, far)
      next[j] = value
      least = Math.min(least, value)
    }
    if (to < b.length) next[to + 1] = far
    if (least > limit) return null
    ;[row, next] = [next, row]
  }
  const distance = row[b.length] ?? far
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
