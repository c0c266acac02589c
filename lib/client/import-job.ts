/** Imports from the page: upload files, watch their progress, cancel it, list the newest. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { ColumnMapping, MappedRow } from '@/lib/contract/column-mapping'
import type { ImportJob, SkippedLine } from '@/lib/contract/import-job'
import type { List } from '@/lib/contract/page'
import { apiPath, get, type Query, send } from './request'

/** nothing changes until somebody does something */
const isOver = (job: ImportJob | undefined) => ['done', 'failed', 'cancelled', 'mapping'].includes(job?.state ?? '')

export const importQuery = (id: string) =>
  queryOptions({
    queryKey: ['import', id],
    queryFn: ({ signal }) => get<ImportJob>(`/imports/${encodeURIComponent(id)}`, {}, signal),
    refetchInterval: (query) => (isOver(query.state.data) ? false : 500),
  })

/** Newest first; asked again while one is under way. */
export const importsQuery = (limit = 10) =>
  queryOptions({
    queryKey: ['imports', limit],
    queryFn: ({ signal }) => get<List<ImportJob>>('/imports', { limit }, signal),
    refetchInterval: (query) => (query.state.data?.items.every(isOver) === false ? 2000 : false),
  })

/** A file with the path under which it was dropped: folders tell environments apart where files do not. */
export interface NamedUpload {
  path: string
  file: File
}

/** The bodies are the files as they are; several are one source. */
export function startImport(
  uploads: readonly NamedUpload[],
  { replay, ask }: { replay: boolean; ask: boolean },
): Promise<ImportJob> {
  const form = new FormData()
  form.append('replay', replay ? '1' : '0')
  if (ask) form.append('mapping', 'ask')
  for (const { path, file } of uploads) form.append('file', file, path)
  return send<ImportJob>(apiPath('/imports'), { method: 'POST', body: form })
}

export function setImportReplay(id: string, replay: boolean): Promise<ImportJob> {
  const body = JSON.stringify({ replay })
  return send<ImportJob>(apiPath(`/imports/${encodeURIComponent(id)}`), {
    method: 'PATCH',
    body,
    headers: { 'content-type': 'application/json' },
  })
}

function post<T>(path: string, body: unknown): Promise<T> {
  const headers = { 'content-type': 'application/json' }
  return send<T>(apiPath(path), { method: 'POST', headers, body: JSON.stringify(body) })
}

/** Goes on with one that was stopped, or that waits for its columns. */
export function resumeImport(id: string, mapping?: ColumnMapping): Promise<ImportJob> {
  return post(`/imports/${encodeURIComponent(id)}/resume`, mapping === undefined ? {} : { mapping })
}

export function discardImport(id: string): Promise<ImportJob> {
  return post(`/imports/${encodeURIComponent(id)}/discard`, {})
}

export const previewQuery = (id: string, mapping: ColumnMapping) =>
  queryOptions({
    queryKey: ['import', id, 'preview', mapping],
    queryFn: () => post<{ rows: MappedRow[] }>(`/imports/${encodeURIComponent(id)}/preview`, { mapping }),
    placeholderData: (before) => before,
  })

export const skippedPath = (id: string, reason: string, query: Query = {}) =>
  apiPath(`/imports/${encodeURIComponent(id)}/skipped`, { reason, ...query })

/** Lines that were left out for a reason, a page at a time. */
export const skippedQuery = (id: string, reason: string) =>
  infiniteQueryOptions({
    queryKey: ['import', id, 'skipped', reason],
    queryFn: ({ pageParam, signal }) =>
      get<List<SkippedLine>>(
        `/imports/${encodeURIComponent(id)}/skipped`,
        { reason, limit: 100, cursor: pageParam },
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
  })

export function cancelImport(id: string): Promise<ImportJob> {
  return send<ImportJob>(apiPath(`/imports/${encodeURIComponent(id)}`), { method: 'DELETE' })
}
