/* Runs: start one, list them. */

import { bodyJson } from '@/app/api/v1/body'
import { endpoint, listAnswer, parseQuery } from '@/app/api/v1/endpoint'
import { listQuery } from '@/lib/contract/page'
import { createRun } from '@/lib/service/create-run'
import { readRunDetail, readRuns } from '@/lib/service/runs'

export const POST = endpoint('report', async ({ runtime, request, who, now }) => {
  const run = await createRun(runtime, await bodyJson(request), who, now)
  return readRunDetail(runtime, run.id, now)
})

export const GET = endpoint('view', async ({ runtime, query, now }) => {
  const list = parseQuery(listQuery, query)
  return listAnswer(list.format, await readRuns(runtime, list, now))
})
