/* One access token, to revoke it. */

import { endpoint, parseQuery } from '@/app/api/v1/endpoint'
import { revokeQuery } from '@/lib/contract/token'
import { revokeToken } from '@/lib/service/tokens'

export const DELETE = endpoint<{ token: string }>('operate', ({ runtime, params, query, who, now }) =>
  revokeToken(runtime, params.token, { anyway: parseQuery(revokeQuery, query).anyway === 'true' }, who, now),
)
