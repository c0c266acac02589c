/* What moved since a cursor. */

import { endpoint } from '@/app/api/v1/endpoint'
import { readChanges } from '@/lib/service/runs'

export const GET = endpoint<{ run: string }>('view', ({ runtime, params, query, now }) => {
  const since = query.get('since')
  return readChanges(runtime, params.run, since === null || !/^\d+$/.test(since) ? null : Number(since), now)
})
