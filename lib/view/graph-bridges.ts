/**
 * Bridges between islands, which stand in where there are too many cross edges to draw.
 * Invariant: each environment keeps its strongest partners only, so there are at most `top` x E bridges.
 */
import { type EdgeFilter, type Links, passes } from './graph-edges'

/** `a < b` are environment indices; `strength` 0 to 1, the square root of the part of the strongest bridge's weight. */
export interface Bridge {
  a: number
  b: number
  edges: number
  strength: number
}

/** `count` environments. O(m + E² log E); strongest first. Above 80 environments one partner each, else three. */
export function bridges(links: Links, count: number, filter: EdgeFilter, hidden: ReadonlySet<number>): Bridge[] {
  const { edges, environment } = links
  const weight = new Float64Array(count * count)
  const number = new Int32Array(count * count)
  for (let e = 0; e < edges.source.length; e++) {
    const a = environment[edges.source[e]!]!
    const b = environment[edges.target[e]!]!
    if (a === b || hidden.has(a) || hidden.has(b) || !passes(edges, e, filter)) continue
    for (const at of [a * count + b, b * count + a]) {
      weight[at]! += edges.weight[e]!
      number[at]! += 1
    }
  }
  const many = count > 80
  const kept = new Set<number>()
  for (let a = 0; a < count; a++) {
    const row = weight.subarray(a * count, (a + 1) * count)
    const floor = (many ? 0.12 : 0.05) * row.reduce((sum, part) => sum + part, 0)
    const partners = [...row.keys()].filter((b) => row[b]! > floor).sort((p, q) => row[q]! - row[p]! || p - q)
    for (const b of partners.slice(0, many ? 1 : 3)) kept.add(Math.min(a, b) * count + Math.max(a, b))
  }
  const strongest = [...kept].reduce((most, at) => Math.max(most, weight[at]!), 0)
  return [...kept]
    .map((at) => ({
      a: Math.floor(at / count),
      b: at % count,
      edges: number[at]!,
      strength: Math.sqrt(weight[at]! / strongest),
    }))
    .sort((p, q) => q.strength - p.strength)
}
