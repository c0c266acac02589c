/* Rollouts that match, streamed: CSV and JSON have the rows, JSON lines the messages, too. */
import { endpoint, parseQuery } from '@/app/api/v1/endpoint'
import { rolloutFile } from '@/app/api/v1/rollout-file'
import { rolloutExportQuery } from '@/lib/contract/rollout-group'
import { exportRollouts } from '@/lib/service/exports/export-rollouts'

export const GET = endpoint<{ run: string }>('view', async ({ runtime, params, query }) => {
  const { format, ...filter } = parseQuery(rolloutExportQuery, query)
  return rolloutFile(format, await exportRollouts(runtime, params.run, filter, format === 'jsonl'))
})
