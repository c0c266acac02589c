/* Runs beside each other on one axis. */
import { endpoint, parseQuery } from '@/app/api/v1/endpoint'
import { compareQuery } from '@/lib/contract/comparison'
import { compareRuns } from '@/lib/service/compare-runs'

export const GET = endpoint('view', ({ runtime, query, now }) => {
  const { runs, axis } = parseQuery(compareQuery, query)
  return compareRuns(runtime, runs.split(','), axis, now)
})
