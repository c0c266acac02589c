/**
 * The query that asks the server for what the page shows, as GEXF or CSV.
 * Invariant: kinds, least weights, hidden environments, batch and selection are those of the drawing.
 */
import type { GraphView } from '@/lib/contract/graph'
import type { GraphAddress } from './graph-address'
import { EDGE_KINDS, type EdgeFilter } from './graph-edges'
import { isCollapsed } from './graph-world'

export interface ExportQuery {
  [name: string]: string | number | null
}

/** `open`: the environment that stands open among circles; `also`: tasks with a path of evidence. */
export function exportQuery(
  graph: Pick<GraphView, 'level' | 'environments'>,
  address: GraphAddress,
  filter: EdgeFilter,
  open: number | null,
  also: readonly string[],
): ExportQuery {
  const { task, hops, batch, hidden } = address
  const edges = {
    kinds: EDGE_KINDS.filter((kind) => filter[kind].on).join(',') || 'none',
    within: filter.within.min,
    cross: filter.cross.min,
    hide: hidden.join(','),
    batch,
  }
  if (task !== null && hops !== null) return { level: 'environments', around: task, hops, ...edges }
  if (task !== null) return { level: 'environments', also: [task, ...also].join(','), ...edges }
  if (isCollapsed(graph, address))
    return { level: 'environments', open: open === null ? null : (graph.environments[open]?.id ?? null), ...edges }
  return { level: 'tasks', ...edges }
}
