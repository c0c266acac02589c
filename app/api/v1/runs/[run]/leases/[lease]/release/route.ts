/* Gives a pick back. */

import { endpoint } from '@/app/api/v1/endpoint'
import { releaseLease } from '@/lib/service/release-lease'

export const POST = endpoint<{ run: string; lease: string }>('report', ({ runtime, params, now }) =>
  releaseLease(runtime, params.run, params.lease, now),
)
