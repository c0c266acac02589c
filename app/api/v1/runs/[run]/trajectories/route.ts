/* All trajectory text of a run, to drop it. */

import { endpoint } from '@/app/api/v1/endpoint'
import { dropAllText } from '@/lib/service/keep'

export const DELETE = endpoint<{ run: string }>('operate', ({ runtime, params, who, now }) =>
  dropAllText(runtime, params.run, who, now),
)
