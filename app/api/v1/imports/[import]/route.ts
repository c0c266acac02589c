/* One import: its progress; PATCH says whether a replay follows; DELETE stops it and keeps what is stored. */

import { bodyJson } from '@/app/api/v1/body'
import { endpoint, parseBody } from '@/app/api/v1/endpoint'
import { importPatch } from '@/lib/contract/import-job'
import { cancelImport, changeImport, readImport } from '@/lib/service/imports/import-files'

export const GET = endpoint<{ import: string }>('view', ({ runtime, params, now }) =>
  readImport(runtime, params.import, now),
)

export const PATCH = endpoint<{ import: string }>('operate', async ({ runtime, params, request, now }) =>
  changeImport(runtime, params.import, parseBody('import', importPatch, await bodyJson(request)), now),
)

export const DELETE = endpoint<{ import: string }>('operate', ({ runtime, params, now }) =>
  cancelImport(runtime, params.import, now),
)
