/* One point a batch and environment over the last `last` batches. */
import { endpoint, parseQuery } from '@/app/api/v1/endpoint'
import { seriesQuery } from '@/lib/contract/environment'
import { readSeries } from '@/lib/service/read-run-pages'

export const GET = endpoint<{ run: string }>('view', ({ runtime, params, query }) =>
  readSeries(runtime, params.run, parseQuery(seriesQuery, query).last),
)
