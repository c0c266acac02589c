/* One file of a run, as a stream. */

import { endpoint } from '@/app/api/v1/endpoint'
import { fileAnswer } from '@/app/api/v1/file-answer'
import { exportRun } from '@/lib/service/export-run'

export const GET = endpoint<{ run: string; export: string }>('view', async ({ runtime, params, query, now }) =>
  fileAnswer(await exportRun(runtime, params.run, params.export, query.get('format'), now)),
)
