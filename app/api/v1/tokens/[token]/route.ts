/* One access token, to revoke it. */

import { endpoint } from '@/app/api/v1/endpoint'
import { revokeToken } from '@/lib/service/tokens'

export const DELETE = endpoint<{ token: string }>('operate', ({ runtime, params, query, who, now }) =>
  revokeToken(runtime, params.token, { anyway: query.get('anyway') === 'true' }, who, now),
)
