/* Rollouts: report them, list them. */

import { bodyItems, bodyLines, isNdjson } from '@/app/api/v1/body'
import { endpoint, listAnswer, parseQuery } from '@/app/api/v1/endpoint'
import { rolloutListQuery } from '@/lib/contract/rollout'
import { readRollouts } from '@/lib/service/read-lists'
import { reportLines } from '@/lib/service/report-lines'
import { reportRollouts } from '@/lib/service/report-rollouts'

/** Bytes of NDJSON, unpacked: they are taken in slices, so that this guards against a body without end alone. */
const MOST_LINES = 16 * 1024 ** 3

export const POST = endpoint<{ run: string }>('report', async ({ runtime, params, request, now }) =>
  isNdjson(request)
    ? reportLines(runtime, params.run, bodyLines(request, MOST_LINES), now)
    : reportRollouts(runtime, params.run, await bodyItems(request), now),
)

export const GET = endpoint<{ run: string }>('view', async ({ runtime, params, query }) => {
  const { task, lease, group, policy, status, environment, ...list } = parseQuery(rolloutListQuery, query)
  const filter = { task, lease, group, status, environment, policyVersion: policy }
  return listAnswer(list.format, await readRollouts(runtime, params.run, filter, list))
})
