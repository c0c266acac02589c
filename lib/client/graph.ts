/**
 * Queries of the dual-relation graph: what is stored is asked once, what moves with the log, the past once a batch.
 * Owns: also the addresses of its exports.
 */
import { queryOptions } from '@tanstack/react-query'
import type { GraphFigures, GraphView } from '@/lib/contract/graph'
import { apiPath, get, type Query } from './request'

/** Nodes of the graph; {} = all of them, or environments alone where there are too many. */
export type GraphWish = {
  level?: 'environments'
  /** server ids: an environment, a task and how far around it, further tasks joined by commas */
  open?: string
  around?: string
  hops?: number
  also?: string
}

export const graphQuery = (run: string, wish: GraphWish = {}) =>
  queryOptions({
    // not among the run's queries, which are asked again when a batch comes: positions and edges stay as they are
    queryKey: ['graph', run, 'stored', wish],
    queryFn: ({ signal }) => get<GraphView>(`/runs/${run}/graph`, wish, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** `batch` null = now. A past batch never changes. */
export const graphFiguresQuery = (run: string, wish: GraphWish, batch: number | null) =>
  queryOptions({
    queryKey: batch === null ? ['run', run, 'graph', wish] : ['graph', run, 'past', wish, batch],
    queryFn: ({ signal }) => get<GraphFigures>(`/runs/${run}/graph/figures`, { ...wish, batch }, signal),
    staleTime: batch === null ? 30_000 : Number.POSITIVE_INFINITY,
  })

export const graphExport = (run: string, query: Query) => apiPath(`/runs/${run}/graph`, query)
