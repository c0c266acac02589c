/* What EnvSched would have chosen on this history: how far the replay is, and its report. */
import { endpoint } from '@/app/api/v1/endpoint'
import { readReplay } from '@/lib/service/replay-history'

export const GET = endpoint<{ run: string }>('view', ({ runtime, params, now }) => readReplay(runtime, params.run, now))
