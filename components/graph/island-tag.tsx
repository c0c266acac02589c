/* Owns an environment's mark on this page: its code beside the hue that its island wears here. */
import { EnvTag } from '@/components/ui/env-tag'
import type { GraphView } from '@/lib/contract/graph'

export function IslandTag({ graph, hues, island }: { graph: GraphView; hues: readonly number[]; island: number }) {
  const environment = graph.environments[island]
  if (environment === undefined) return null
  return <EnvTag environment={{ ...environment, hue: hues[island] ?? null }} />
}
