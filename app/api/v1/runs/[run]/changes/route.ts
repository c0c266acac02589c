/* What moved since a cursor. */

import { endpoint, wholeIn } from '@/app/api/v1/endpoint'
import { readChanges } from '@/lib/service/runs'

export const GET = endpoint<{ run: string }>('view', ({ runtime, params, query, now }) =>
  readChanges(runtime, params.run, wholeIn(query, 'since'), now),
)
