/**
 * What every server action does before and after its one call: find the person by the cookie, check the scope, and turn
 * what is thrown into an answer. Next refuses actions from other origins by itself.
 */
import { cookies, headers } from 'next/headers'
import { cookieName } from '@/app/api/v1/token'
import type { Principal, Scope } from '@/lib/contract/access'
import type { ActionResult } from '@/lib/contract/steering'
import { authorise } from '@/lib/service/access'
import { faultOf, log } from '@/lib/service/logger'
import { getRuntime, type Runtime } from '@/lib/service/runtime'
import { ServiceError } from '@/lib/service/service-error'

export interface Acting {
  runtime: Runtime
  who: Principal
  /** epoch milliseconds */
  now: number
}

export async function act<T>(scope: Scope, work: (acting: Acting) => Promise<T>): Promise<ActionResult<T>> {
  try {
    const runtime = await getRuntime()
    const now = Date.now()
    const came = await headers()
    const token = (await cookies()).get(cookieName(came.get('host')))?.value ?? null
    const who = await authorise(runtime, token, scope, now, came.get('x-forwarded-for'))
    return { ok: true, value: await work({ runtime, who, now }) }
  } catch (cause) {
    if (cause instanceof ServiceError)
      return { ok: false, code: cause.code, message: cause.message, issues: cause.issues }
    log('error', 'action_failed', faultOf(cause))
    return {
      ok: false,
      code: 'fault',
      message: 'The server met a fault of its own; it is in its log. Try again.',
      issues: [],
    }
  }
}
