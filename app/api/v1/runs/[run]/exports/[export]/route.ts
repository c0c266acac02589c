/* One file of a run, as a stream. */

import { endpoint, parseQuery } from '@/app/api/v1/endpoint'
import { fileAnswer } from '@/app/api/v1/file-answer'
import { exportQuery } from '@/lib/contract/export'
import { exportRun } from '@/lib/service/exports/export-run'

export const GET = endpoint<{ run: string; export: string }>('view', async ({ runtime, params, query, now }) =>
  fileAnswer(await exportRun(runtime, params.run, params.export, parseQuery(exportQuery, query).format ?? null, now)),
)
