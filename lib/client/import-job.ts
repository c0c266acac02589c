/** Imports from the page: upload files, watch their progress, cancel it, list the newest. */
import { queryOptions } from '@tanstack/react-query'
import type { ImportJob } from '@/lib/contract/import-job'
import type { List } from '@/lib/contract/page'
import { apiPath, get, send } from './request'

const isOver = (job: ImportJob | undefined) => ['done', 'failed', 'cancelled'].includes(job?.state ?? '')

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
export function startImport(uploads: readonly NamedUpload[], replay: boolean): Promise<ImportJob> {
  const form = new FormData()
  form.append('replay', replay ? '1' : '0')
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

export function cancelImport(id: string): Promise<ImportJob> {
  return send<ImportJob>(apiPath(`/imports/${encodeURIComponent(id)}`), { method: 'DELETE' })
}
