/* Access tokens: list them, make one. */

import { bodyJson } from '@/app/api/v1/body'
import { endpoint } from '@/app/api/v1/endpoint'
import { makeToken, readTokens } from '@/lib/service/tokens'

export const GET = endpoint('view', ({ runtime, who, now }) => readTokens(runtime, who, now))

export const POST = endpoint('operate', async ({ runtime, request, who, now }) =>
  makeToken(runtime, await bodyJson(request), who, now),
)
