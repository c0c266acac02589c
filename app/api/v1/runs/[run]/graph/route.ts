/* The dual-relation graph: JSON for the page, GEXF and CSV for other tools. */

import { csvAnswer, endpoint, parseQuery } from '@/app/api/v1/endpoint'
import { graphQuery } from '@/lib/contract/graph'
import { graphEdges, graphToGexf } from '@/lib/service/graph-export'
import { readGraph } from '@/lib/service/read-graph'

export const GET = endpoint<{ run: string }>('view', async ({ runtime, params, query }) => {
  const { kinds, minWeight, format } = parseQuery(graphQuery, query)
  const graph = await readGraph(runtime, params.run, minWeight, kinds === undefined ? null : kinds.split(','))
  if (format === 'csv') return csvAnswer(graphEdges(graph))
  if (format === 'gexf')
    return new Response(graphToGexf(graph), { headers: { 'content-type': 'application/gexf+xml; charset=utf-8' } })
  return graph
})
