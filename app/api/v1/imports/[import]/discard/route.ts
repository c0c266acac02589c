/* Drops the files that a stopped import keeps; what came in stays. */

import { endpoint } from '@/app/api/v1/endpoint'
import { discardImport } from '@/lib/service/imports/import-files'

export const POST = endpoint<{ import: string }>('operate', ({ runtime, params, now }) =>
  discardImport(runtime, params.import, now),
)
