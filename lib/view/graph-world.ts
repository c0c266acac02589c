/**
 * Which environments stand as circles. Invariant: a selected task's environment stands open, so that the task is seen;
 * where all are open there is no circle and no line.
 */
import type { GraphView } from '@/lib/contract/graph'
import type { GraphAddress } from './graph-address'

export function isCollapsed(graph: Pick<GraphView, 'level'>, address: Pick<GraphAddress, 'collapsed'>): boolean {
  return graph.level === 'environments' || address.collapsed
}

/** Index of the environment that stands open among circles, or null. */
export function openIsland(
  { environments, nodes }: Pick<GraphView, 'environments' | 'nodes'>,
  { open }: Pick<GraphAddress, 'open'>,
  selected: number | null,
): number | null {
  if (selected !== null) return nodes.environment[selected] ?? null
  const at = environments.findIndex(({ id }) => id === open)
  return at === -1 ? null : at
}

/** Environments drawn as circles; a graph without the tasks of the open one shows it closed. */
export function closedIslands(graph: GraphView, address: GraphAddress, open: number | null): Set<number> {
  if (!isCollapsed(graph, address)) return new Set()
  const has = open !== null && (graph.level === 'tasks' || graph.nodes.environment.includes(open))
  return new Set([...graph.environments.keys()].filter((i) => i !== open || !has))
}
