/**
 * Task texts as hashed TF-IDF vectors, for nearest neighbours inside an environment.
 * Shapes: one unit vector a task, at most `MOST_TERMS` terms, term hashes ascending. Cost: proportional to the text.
 * Invariant: a term of one task only, or of more than half of the environment's tasks, joins nobody and is left out.
 */
import { hashText } from './hash'
import type { Rows } from './hubs'

const MOST_TERMS = 24
const BUCKETS = 1 << 20

function termsOf(text: string): Map<number, number> {
  const counts = new Map<number, number>()
  for (const match of text.toLowerCase().matchAll(/[\p{L}\p{N}]{2,}/gu)) {
    const term = hashText(match[0]) & (BUCKETS - 1)
    counts.set(term, (counts.get(term) ?? 0) + 1)
  }
  return counts
}

/** Rows scaled to length 1, index ascending; an empty row stays empty. */
export function unitRows(rows: readonly (readonly [number, number])[][]): Rows {
  const start = new Int32Array(rows.length + 1)
  rows.forEach((row, i) => {
    start[i + 1] = start[i]! + row.length
  })
  const index = new Int32Array(start[rows.length]!)
  const value = new Float64Array(start[rows.length]!)
  rows.forEach((row, i) => {
    const sorted = [...row].sort((a, b) => a[0] - b[0])
    const norm = Math.sqrt(sorted.reduce((sum, [, x]) => sum + x * x, 0))
    sorted.forEach(([at, x], k) => {
      index[start[i]! + k] = at
      value[start[i]! + k] = x / norm
    })
  })
  return { start, index, value }
}

/** Text vectors of all tasks; document frequencies are counted inside each environment. */
export function textVectors(texts: readonly (string | null)[], tasksOf: readonly (readonly number[])[]): Rows {
  const rows: [number, number][][] = texts.map(() => [])
  for (const tasks of tasksOf) {
    const terms = tasks.map((task) => termsOf(texts[task] ?? ''))
    const frequency = new Map<number, number>()
    for (const counts of terms) for (const term of counts.keys()) frequency.set(term, (frequency.get(term) ?? 0) + 1)
    tasks.forEach((task, k) => {
      const weighted: [number, number][] = []
      for (const [term, count] of terms[k]!) {
        const documents = frequency.get(term)!
        if (documents < 2 || documents > Math.max(2, tasks.length / 2)) continue
        weighted.push([term, (1 + Math.log(count)) * Math.log(1 + tasks.length / documents)])
      }
      weighted.sort((a, b) => b[1] - a[1] || a[0] - b[0])
      rows[task] = weighted.slice(0, MOST_TERMS)
    })
  }
  return unitRows(rows)
}
