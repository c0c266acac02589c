/* Owns steering the task that is selected on the graph, and its environment: both go into the run's draft. */
import { SteerMenu } from '@/components/steering/steer-menu'
import type { GraphView } from '@/lib/contract/graph'

export function SteerSelected({
  run,
  graph,
  hues,
  selected,
}: {
  run: string
  graph: GraphView
  hues: readonly number[]
  /** position of the task among the graph's nodes */
  selected: number
}) {
  const island = graph.nodes.environment[selected]
  const place = island === undefined ? undefined : graph.environments[island]
  const id = graph.nodes.id[selected]
  if (island === undefined || place === undefined || id === undefined) return null
  const environment = { ...place, hue: hues[island] ?? null }
  return (
    <SteerMenu
      run={run}
      task={{ id, key: graph.nodes.key[selected] ?? id, environment }}
      environment={environment}
      align="end"
    />
  )
}
