/* The dual-relation graph, now or as of a batch: JSON for the page, GEXF and CSV for other tools. */

import { csvAnswer, endpoint, parseQuery } from '@/app/api/v1/endpoint'
import { graphQuery } from '@/lib/contract/graph'
import { graphEdges, graphTasks, graphToGexf } from '@/lib/service/exports/graph-export'
import { graphFileName, readGraph } from '@/lib/service/read-graph'

export const GET = endpoint<{ run: string }>('view', async ({ runtime, params, query }) => {
  const { kinds, minWeight, within, cross, hide, rows, format, ...wish } = parseQuery(graphQuery, query)
  const graph = await readGraph(runtime, params.run, wish, {
    kinds: kinds === undefined ? null : kinds.split(','),
    least: { within: within ?? minWeight, cross: cross ?? minWeight },
  })
  if (format === 'json') return graph
  const name = await graphFileName(runtime, params.run)
  if (format === 'csv')
    return csvAnswer(rows === 'edges' ? graphEdges(graph, hide) : graphTasks(graph, hide), `${name}-${rows}`)
  return new Response(graphToGexf(graph, hide), {
    headers: {
      'content-type': 'application/gexf+xml; charset=utf-8',
      'content-disposition': `attachment; filename="${name}.gexf"`,
    },
  })
})
