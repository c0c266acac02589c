/* The exact evidence behind one prediction; `?batch=` gives it as of a batch. */

import { endpoint, parseQuery } from '@/app/api/v1/endpoint'
import { evidenceQuery } from '@/lib/contract/task'
import { readEvidence } from '@/lib/service/read-evidence'

export const GET = endpoint<{ run: string; task: string }>('view', ({ runtime, params, query }) =>
  readEvidence(runtime, params.run, params.task, parseQuery(evidenceQuery, query).batch ?? null),
)
