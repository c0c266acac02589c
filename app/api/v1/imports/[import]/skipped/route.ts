/* Lines that an import left out, one by one, of one `reason` or of all; `format=csv` has all that are kept. */

import { endpoint, listAnswer, parseQuery } from '@/app/api/v1/endpoint'
import { skippedQuery } from '@/lib/contract/import-job'
import { readSkipped } from '@/lib/service/imports/import-files'
import { MOST_SKIPPED_LINES } from '@/lib/service/imports/skipped-lines'

export const GET = endpoint<{ import: string }>('view', async ({ runtime, params, query, now }) => {
  const { limit, cursor, format, reason } = parseQuery(skippedQuery, query)
  const asked = { reason: reason ?? null, cursor: Number(cursor ?? 0), limit }
  const all = format === 'csv' ? { ...asked, limit: MOST_SKIPPED_LINES } : asked
  return listAnswer(format, await readSkipped(runtime, params.import, all, now))
})
