/* Groups of rollouts, newest first, with the rollouts that match. */
import { endpoint, parseQuery } from '@/app/api/v1/endpoint'
import { rolloutGroupQuery } from '@/lib/contract/rollout-group'
import { readRolloutGroups } from '@/lib/service/read-rollout-groups'

export const GET = endpoint<{ run: string }>('view', async ({ runtime, params, query }) =>
  readRolloutGroups(runtime, params.run, parseQuery(rolloutGroupQuery, query)),
)
