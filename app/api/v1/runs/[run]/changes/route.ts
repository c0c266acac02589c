/* What moved since a cursor. */

import { endpoint, parseQuery } from '@/app/api/v1/endpoint'
import { changesQuery } from '@/lib/contract/change'
import { readChanges } from '@/lib/service/runs'

export const GET = endpoint<{ run: string }>('view', ({ runtime, params, query, now }) =>
  readChanges(runtime, params.run, parseQuery(changesQuery, query).since ?? null, now),
)
