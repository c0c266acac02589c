/* What moves in the graph: sizes, rings and coverage, for the nodes that the same query of the graph answers. */
import { endpoint, parseQuery } from '@/app/api/v1/endpoint'
import { graphSelection } from '@/lib/contract/graph'
import { readGraphFigures } from '@/lib/service/read-graph'

export const GET = endpoint<{ run: string }>('view', ({ runtime, params, query }) =>
  readGraphFigures(runtime, params.run, parseQuery(graphSelection, query)),
)
