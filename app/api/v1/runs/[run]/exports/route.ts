/* Files of a run and their guessed sizes. */

import { endpoint } from '@/app/api/v1/endpoint'
import { readExports } from '@/lib/service/exports/export-run'

export const GET = endpoint<{ run: string }>('view', ({ runtime, params, now }) =>
  readExports(runtime, params.run, now),
)
