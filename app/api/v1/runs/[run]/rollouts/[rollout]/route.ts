/* One rollout with its messages, its reward components and its group. */
import { endpoint, parseQuery } from '@/app/api/v1/endpoint'
import { rolloutQuery } from '@/lib/contract/rollout-group'
import { readRollout } from '@/lib/service/read-rollout'

export const GET = endpoint<{ run: string; rollout: string }>('view', async ({ runtime, params, query }) =>
  readRollout(runtime, params.run, params.rollout, parseQuery(rolloutQuery, query).cut ?? null),
)
