/* One point a batch and environment over the last `last` batches. */
import { z } from 'zod'
import { endpoint, parseQuery } from '@/app/api/v1/endpoint'
import { readSeries } from '@/lib/service/read-run-pages'

const seriesParams = z.object({ last: z.coerce.number().int().min(1).max(10_000).default(32) })

export const GET = endpoint<{ run: string }>('view', ({ runtime, params, query }) =>
  readSeries(runtime, params.run, parseQuery(seriesParams, query).last),
)
