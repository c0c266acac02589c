/** Owns the counts beside the edge legend. Invariant: always "shown of all that are stored", each kind apart. */
import type { GraphView } from '@/lib/contract/graph'
import { formatFixed } from './format'
import type { EdgeKind, ShownEdges } from './graph-edges'
import { edgeCounts, type Focus } from './graph-focus'

/** "3 127 of 6 940"; around a task "6 of 6 940", with two hops "6 and 48 of 6 940". */
export function edgeCountWords(graph: GraphView, shown: ShownEdges, focus: Focus | null): Record<EdgeKind, string> {
  const around = focus === null ? null : edgeCounts(graph, focus)
  const words = (kind: EdgeKind): string => {
    const whole = formatFixed(graph.counts[kind], 0)
    if (around === null) return `${formatFixed(shown.counts[kind], 0)} of ${whole}`
    const first = formatFixed(around[kind].first, 0)
    return focus?.hops === 2
      ? `${first} and ${formatFixed(around[kind].second, 0)} of ${whole}`
      : `${first} of ${whole}`
  }
  return { within: words('within'), cross: words('cross') }
}
