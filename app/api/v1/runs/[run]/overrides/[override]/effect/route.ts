/* A run before and after one override, over `batches` batches on each side. */
import { endpoint, parseQuery } from '@/app/api/v1/endpoint'
import { effectQuery } from '@/lib/contract/override-effect'
import { readOverrideEffect } from '@/lib/service/read-override-effect'

export const GET = endpoint<{ run: string; override: string }>('view', ({ runtime, params, query }) =>
  readOverrideEffect(runtime, params.run, params.override, parseQuery(effectQuery, query).batches),
)
