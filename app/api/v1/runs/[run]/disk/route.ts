/* What the run takes on disk by kind, and the server in all. */

import { endpoint } from '@/app/api/v1/endpoint'
import { readDiskUse } from '@/lib/service/disk-use'

export const GET = endpoint<{ run: string }>('view', ({ runtime, params, now }) =>
  readDiskUse(runtime, params.run, now),
)
