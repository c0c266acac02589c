/* One import: its progress; DELETE stops it and keeps what is stored. */
import { endpoint } from '@/app/api/v1/endpoint'
import { cancelImport, readImport } from '@/lib/service/import-files'

export const GET = endpoint<{ import: string }>('view', ({ runtime, params, now }) =>
  readImport(runtime, params.import, now),
)

export const DELETE = endpoint<{ import: string }>('operate', ({ runtime, params, now }) =>
  cancelImport(runtime, params.import, now),
)
