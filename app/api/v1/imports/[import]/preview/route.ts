/* First rows of an import that waits, as a mapping would read them. Changes nothing. */

import { bodyJson } from '@/app/api/v1/body'
import { endpoint, parseBody } from '@/app/api/v1/endpoint'
import { importPreview } from '@/lib/contract/import-job'
import { previewImport } from '@/lib/service/imports/import-files'

export const POST = endpoint<{ import: string }>('view', async ({ runtime, params, request }) =>
  previewImport(runtime, params.import, parseBody('preview', importPreview, await bodyJson(request)).mapping),
)
