/** Imports from the page: upload a file, watch its progress, cancel it. */
import { queryOptions } from '@tanstack/react-query'
import type { ImportJob } from '@/lib/contract/import-job'
import { apiPath, get, send } from './request'

export const importQuery = (id: string) =>
  queryOptions({
    queryKey: ['import', id],
    queryFn: ({ signal }) => get<ImportJob>(`/imports/${id}`, {}, signal),
    refetchInterval: (query) => (['done', 'failed', 'cancelled'].includes(query.state.data?.state ?? '') ? false : 500),
  })

/** The body is the file as it is; its name tells the format. Several files of one set go one after the other into `into`. */
export function startImport(files: File[]): Promise<ImportJob> {
  const form = new FormData()
  for (const file of files) form.append('file', file)
  return send<ImportJob>(apiPath('/imports'), { method: 'POST', body: form })
}

export function cancelImport(id: string): Promise<ImportJob> {
  return send<ImportJob>(apiPath(`/imports/${id}`), { method: 'DELETE' })
}
