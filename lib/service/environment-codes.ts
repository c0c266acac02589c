/**
 * Three-letter codes and hues of environments (LOOK.md). Owns: both rules.
 * Invariants: codes are unique in a task set and depend only on names and their order; hues are stable for the set.
 */

/** One unique code a name, in order. Letters come from word starts, then from the name, then digits settle what is left. */
export function codesOf(names: readonly string[]): string[] {
  const taken = new Set<string>()
  return names.map((name) => {
    const code = candidatesOf(name).find((candidate) => !taken.has(candidate)) ?? numberedCode(name, taken)
    taken.add(code)
    return code
  })
}

function candidatesOf(name: string): string[] {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .filter((word) => word !== '')
  const letters = words.join('')
  const starts = words.map((word) => word.charAt(0)).join('')
  const consonants = letters.charAt(0) + letters.slice(1).replace(/[AEIOU]/g, '')
  const last = words.at(-1) ?? ''
  const found = words.length >= 3 ? [starts.slice(0, 3)] : []
  found.push(letters.slice(0, 3), last.slice(0, 3), consonants.slice(0, 3))
  for (let third = 2; third < letters.length; third += 1) found.push(letters.slice(0, 2) + letters.charAt(third))
  return found.filter((code) => code.length === 3)
}

function numberedCode(name: string, taken: ReadonlySet<string>): string {
  const first = /[A-Z]/.exec(name.toUpperCase())?.[0] ?? 'X'
  for (let number = 1; number < 100; number += 1) {
    const code = first + String(number).padStart(2, '0')
    if (!taken.has(code)) return code
  }
  for (let number = 0; ; number += 1) {
    const code = number.toString(36).toUpperCase().padStart(3, '0')
    if (!taken.has(code)) return code
  }
}

/** Hue 1 to 12 by order; with more than twelve the eleven largest keep one, the rest have null. */
export function huesOf(taskCounts: readonly number[]): (number | null)[] {
  if (taskCounts.length <= 12) return taskCounts.map((_, index) => index + 1)
  const largest = taskCounts
    .map((count, index) => ({ count, index }))
    .sort((a, b) => b.count - a.count || a.index - b.index)
    .slice(0, 11)
    .sort((a, b) => a.index - b.index)
  const hues = new Array<number | null>(taskCounts.length).fill(null)
  for (const [position, { index }] of largest.entries()) hues[index] = position + 1
  return hues
}
