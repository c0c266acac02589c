/**
 * The structure around one task: what one and two hops over stored edges reach.
 * Must never know evidence: a hop says where evidence may come from, not how much does.
 * Invariant: a task counts at its nearest hop only, the task itself not at all; edges follow the filter.
 */
import type { GraphView } from '@/lib/contract/graph'
import { type EdgeFilter, type EdgeKind, type Incidence, passes } from './graph-edges'

export interface Focus {
  task: number
  hops: 1 | 2
  /** node indices at each hop; the second is empty with one hop */
  first: number[]
  second: number[]
  /** edge indices that lead there: from the task, and on from the first hop */
  firstEdges: number[]
  secondEdges: number[]
}

/** O(edges of the task and of its neighbours). `hidden` holds environment indices. */
export function focusOf(
  graph: GraphView,
  { start, edge }: Incidence,
  task: number,
  hops: 1 | 2,
  filter: EdgeFilter,
  hidden: ReadonlySet<number>,
): Focus {
  const { edges, nodes } = graph
  const hop = new Map<number, number>([[task, 0]])
  const reach = (from: number, distance: number, taken: number[], reached: number[]) => {
    for (let at = start[from]!; at < start[from + 1]!; at++) {
      const e = edge[at]!
      const other = edges.source[e] === from ? edges.target[e]! : edges.source[e]!
      if (!passes(edges, e, filter) || hidden.has(nodes.environment[other]!)) continue
      const known = hop.get(other)
      if (known === undefined) {
        hop.set(other, distance)
        reached.push(other)
      }
      if (known === undefined || known === distance) taken.push(e)
    }
  }
  const focus: Focus = { task, hops, first: [], second: [], firstEdges: [], secondEdges: [] }
  reach(task, 1, focus.firstEdges, focus.first)
  if (hops === 2) for (const near of focus.first) reach(near, 2, focus.secondEdges, focus.second)
  // an edge between two tasks of the first hop was taken from both ends
  focus.secondEdges = [...new Set(focus.secondEdges)]
  return focus
}

export function edgeCounts(graph: GraphView, focus: Focus): Record<EdgeKind, { first: number; second: number }> {
  const count = (list: number[], kind: EdgeKind) => list.filter((e) => graph.edges.kind[e] === kind).length
  return {
    within: { first: count(focus.firstEdges, 'within'), second: count(focus.secondEdges, 'within') },
    cross: { first: count(focus.firstEdges, 'cross'), second: count(focus.secondEdges, 'cross') },
  }
}

export interface ReachedRow {
  environment: number
  first: number
  second: number
  of: number
}

/** One row an environment that was reached, most tasks first. */
export function reachedRows(graph: GraphView, focus: Focus): ReachedRow[] {
  const rows = new Map<number, ReachedRow>()
  const add = (node: number, key: 'first' | 'second') => {
    const environment = graph.nodes.environment[node]!
    const of = graph.environments[environment]!.tasks
    const row = rows.get(environment) ?? { environment, first: 0, second: 0, of }
    row[key] += 1
    rows.set(environment, row)
  }
  for (const node of focus.first) add(node, 'first')
  for (const node of focus.second) add(node, 'second')
  return [...rows.values()].sort((a, b) => b.first + b.second - a.first - a.second || a.environment - b.environment)
}
