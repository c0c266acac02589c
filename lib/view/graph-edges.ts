/**
 * Which stored edges are drawn: the two kinds switched and thresholded apart, hidden islands left out.
 * Must never know how an edge looks. Invariant: a count is of edges that pass the filter, whether or not they are drawn;
 * above MAX_DRAWN none is drawn and bridges between islands stand in, or the strongest are.
 */
import type { GraphView } from '@/lib/contract/graph'

export const MAX_DRAWN = 5000
export const EDGE_KINDS = ['within', 'cross'] as const
export type EdgeKind = (typeof EDGE_KINDS)[number]

/** `min`: the least weight shown, 0 to 1. */
export type EdgeFilter = Record<EdgeKind, { on: boolean; min: number }>

type Edges = GraphView['edges']

/** The stored part of the graph that edges need: it stays the same object while figures move. */
export interface Links {
  edges: Edges
  /** environment index by task */
  environment: readonly number[]
}

/** The edges of each task: of task t, `edge[start[t]]` to `edge[start[t + 1] - 1]` are indices into edges. */
export interface Incidence {
  start: Int32Array
  edge: Int32Array
}

/** O(n + m). */
export function incidence(tasks: number, edges: Edges): Incidence {
  const start = new Int32Array(tasks + 1)
  const count = edges.source.length
  for (let e = 0; e < count; e++) {
    start[edges.source[e]! + 1]! += 1
    start[edges.target[e]! + 1]! += 1
  }
  for (let task = 0; task < tasks; task++) start[task + 1]! += start[task]!
  const fill = start.slice(0, tasks)
  const edge = new Int32Array(2 * count)
  for (let e = 0; e < count; e++) {
    edge[fill[edges.source[e]!]!++] = e
    edge[fill[edges.target[e]!]!++] = e
  }
  return { start, edge }
}

/**
 * Thresholds to begin with: the lowest steps of 0.05 that leave at most MAX_DRAWN edges, each kind its part of them.
 * Where that would take more than 0.8 the graph is too dense for single edges: then 0, and bridges are drawn.
 */
export function startingFilter(edges: Edges): EdgeFilter {
  const total = edges.weight.length
  const least = (kind: EdgeKind): number => {
    const weights = edges.weight.filter((_, e) => edges.kind[e] === kind)
    const room = Math.floor((MAX_DRAWN * weights.length) / Math.max(1, total))
    for (let step = 0; step <= 20; step++) {
      if (weights.filter((weight) => weight >= step / 20).length <= room) return step / 20
    }
    return 1
  }
  const within = total <= MAX_DRAWN ? 0 : least('within')
  const cross = total <= MAX_DRAWN ? 0 : least('cross')
  const dense = within > 0.8 || cross > 0.8
  return { within: { on: true, min: dense ? 0 : within }, cross: { on: true, min: dense ? 0 : cross } }
}

/** True if the edge's kind is on and its weight reaches the threshold. */
export function passes(edges: Edges, edge: number, filter: EdgeFilter): boolean {
  const { on, min } = filter[edges.kind[edge]!]
  return on && edges.weight[edge]! >= min
}

export interface ShownEdges {
  /** edges that pass, by kind; both ends on islands that are not hidden */
  counts: Record<EdgeKind, number>
  /** their indices, strongest last so that they lie on top; empty where bridges stand in */
  drawn: number[]
  bridged: boolean
}

/**
 * O(m log m) at most. `hidden` holds environment indices. `strongest`: too many are cut to the strongest MAX_DRAWN, where
 * no bridge could stand for them.
 */
export function shownEdges(
  links: Links,
  filter: EdgeFilter,
  hidden: ReadonlySet<number>,
  strongest: boolean = false,
): ShownEdges {
  const { edges, environment } = links
  const counts = { within: 0, cross: 0 }
  const passing: number[] = []
  for (let e = 0; e < edges.source.length; e++) {
    if (!passes(edges, e, filter)) continue
    if (hidden.has(environment[edges.source[e]!]!) || hidden.has(environment[edges.target[e]!]!)) continue
    counts[edges.kind[e]!] += 1
    passing.push(e)
  }
  const bridged = passing.length > MAX_DRAWN && !strongest
  return {
    counts,
    drawn: bridged ? [] : passing.sort((a, b) => edges.weight[a]! - edges.weight[b]!).slice(-MAX_DRAWN),
    bridged,
  }
}
