/** Query of the dual-relation graph, and the addresses of its exports. */
import { queryOptions } from '@tanstack/react-query'
import type { GraphView } from '@/lib/contract/graph'
import { apiPath, get } from './request'

export const graphQuery = (run: string) =>
  queryOptions({
    queryKey: ['run', run, 'graph'],
    queryFn: ({ signal }) => get<GraphView>(`/runs/${run}/graph`, {}, signal),
  })

export const graphExport = (run: string, format: 'gexf' | 'csv') => apiPath(`/runs/${run}/graph`, { format })
