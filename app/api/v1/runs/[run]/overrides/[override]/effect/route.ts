/* A run before and after one override, over `batches` batches on each side. */
import { z } from 'zod'
import { endpoint, parseQuery } from '@/app/api/v1/endpoint'
import { readOverrideEffect } from '@/lib/service/read-override-effect'

const effectParams = z.object({ batches: z.coerce.number().int().min(1).max(200).default(10) })

export const GET = endpoint<{ run: string; override: string }>('view', ({ runtime, params, query }) =>
  readOverrideEffect(runtime, params.run, params.override, parseQuery(effectParams, query).batches),
)
