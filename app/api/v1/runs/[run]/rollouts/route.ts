/* Rollouts: report them, list them. */

import { bodyItems, bodyLines, isNdjson } from '@/app/api/v1/body'
import { endpoint, listAnswer, parseQuery, wholeIn } from '@/app/api/v1/endpoint'
import { listQuery } from '@/lib/contract/page'
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
  const list = parseQuery(listQuery, query)
  const of = (name: string) => query.get(name) ?? undefined
  const filter = {
    task: of('task'),
    lease: of('lease'),
    status: of('status'),
    environment: of('environment'),
    group: of('group'),
    policyVersion: wholeIn(query, 'policy') ?? undefined,
  }
  return listAnswer(list.format, await readRollouts(runtime, params.run, filter, list))
})
