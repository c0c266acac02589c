/* Goes on with an import that was stopped or waits for a mapping; the body may hold the mapping. */

import { bodyJson } from '@/app/api/v1/body'
import { endpoint, parseBody } from '@/app/api/v1/endpoint'
import { importResume } from '@/lib/contract/import-job'
import { resumeImport } from '@/lib/service/imports/import-files'

export const POST = endpoint<{ import: string }>('operate', async ({ runtime, params, request, who }) => {
  const given = parseBody('resume', importResume, await bodyJson(request))
  const { job } = await resumeImport(runtime, params.import, given, who, Date.now)
  return Response.json(job, { status: 202 })
})
