/**
 * Puts figures that moved into a stored graph.
 * Invariant: what is stored keeps its identity, so that nothing is drawn anew for a number.
 */
import type { GraphFigures, GraphView } from '@/lib/contract/graph'

/** Figures of other nodes than the graph's are left out: they belong to another question. */
export function withFigures(graph: GraphView, figures: GraphFigures | undefined): GraphView {
  if (figures === undefined || figures.nodes.groups.length !== graph.nodes.id.length) return graph
  const { variance, held, picks, tried } = figures.environments
  return {
    ...graph,
    version: figures.version,
    batch: figures.batch,
    predictionsOf: figures.predictionsOf,
    environments: graph.environments.map((island, i) => ({
      ...island,
      variance: variance[i] ?? island.variance,
      held: held[i] ?? island.held,
      picks: picks[i] ?? island.picks,
      tried: tried[i] ?? island.tried,
    })),
    nodes: { ...graph.nodes, ...figures.nodes },
  }
}

/** The figures that came with a graph. */
export function figuresIn({ version, batch, predictionsOf, environments, nodes }: GraphView): GraphFigures {
  const { predictedVariance, ability, groups, picked } = nodes
  return {
    version,
    batch,
    predictionsOf,
    environments: {
      variance: environments.map((island) => island.variance),
      held: environments.map((island) => island.held),
      picks: environments.map((island) => island.picks),
      tried: environments.map((island) => island.tried),
    },
    nodes: { predictedVariance, ability, groups, picked },
  }
}
