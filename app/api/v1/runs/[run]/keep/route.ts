/* Which trajectory text is kept: the rule in force, what another would free, a new rule. */

import { bodyJson } from '@/app/api/v1/body'
import { endpoint } from '@/app/api/v1/endpoint'
import { changeKeep, readKeep } from '@/lib/service/keep'

export const GET = endpoint<{ run: string }>('view', ({ runtime, params, query }) =>
  readKeep(runtime, params.run, Object.fromEntries(query)),
)

export const PATCH = endpoint<{ run: string }>('operate', async ({ runtime, params, request, who, now }) =>
  changeKeep(runtime, params.run, await bodyJson(request), who, now),
)
