/* The exact evidence behind one prediction; `?batch=` gives it as of a batch. */

import { endpoint, wholeIn } from '@/app/api/v1/endpoint'
import { readEvidence } from '@/lib/service/read-evidence'

export const GET = endpoint<{ run: string; task: string }>('view', ({ runtime, params, query }) =>
  readEvidence(runtime, params.run, params.task, wholeIn(query, 'batch')),
)
