/**
 * Search over tasks and islands of the graph, by key, name or code.
 * Invariant: islands first, then keys that start with the text, then keys that hold it; at most `limit`, in task order.
 */
import type { GraphView } from '@/lib/contract/graph'

export type GraphMatch =
  | { kind: 'environment'; environment: number; label: string }
  | { kind: 'task'; environment: number; label: string; id: string }

/** O(n) a call; an empty text matches nothing. */
export function searchGraph(graph: GraphView, text: string, limit = 8): GraphMatch[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return []
  const islands = graph.environments.flatMap((island, environment): GraphMatch[] => {
    const names = [island.name, island.key, island.code].map((name) => name.toLowerCase())
    return names.some((name) => name.includes(wanted)) ? [{ kind: 'environment', environment, label: island.name }] : []
  })
  const starting: GraphMatch[] = []
  const holding: GraphMatch[] = []
  for (const [i, key] of graph.nodes.key.entries()) {
    const at = key.toLowerCase().indexOf(wanted)
    const list = at === 0 ? starting : holding
    if (at === -1 || list.length >= limit) continue
    list.push({ kind: 'task', environment: graph.nodes.environment[i]!, label: key, id: graph.nodes.id[i]! })
  }
  return [...islands.slice(0, 3), ...starting, ...holding].slice(0, limit)
}
