/**
 * What moved in a run since a log number, as people are told it when they apply a draft: batches, and what others set.
 * Must never know: the draft. Invariant: newest overrides last; other entries of the log (groups, leases) are no news by themselves.
 */
import type { OverrideChange } from '@/lib/engine/log-entry'
import { listOverrides } from '@/lib/store/override'
import { letterOf, overrideId } from './ids'
import type { OpenRun } from './open-run'
import { rowSentence } from './read-overrides'
import { historyOf } from './run-history'
import type { Runtime } from './runtime'
import type { ServiceError } from './service-error'

export async function movedSince(
  runtime: Runtime,
  { run, catalog }: OpenRun,
  cursor: number,
): Promise<ServiceError['issues']> {
  const history = await historyOf(runtime, run)
  const batches = history.batches.filter(({ seq }) => seq > cursor).map(({ index }) => index)
  const rows = (await listOverrides<OverrideChange>(runtime.database.db, run.id)).filter(({ seq }) => seq > cursor)
  const [first, last] = [batches[0], batches.at(-1)]
  const closed =
    first === undefined || last === undefined
      ? []
      : [
          {
            path: 'batch',
            message: first === last ? `Batch ${first} was issued.` : `Batches ${first} to ${last} were issued.`,
          },
        ]
  return [
    ...closed,
    ...rows.map((row) => ({
      path: overrideId(row.number),
      message: `${row.author} set ${letterOf(row.number)}: ${rowSentence(catalog, row)}.`,
    })),
  ]
}
