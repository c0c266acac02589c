/**
 * What is read of a run bit by bit, which may be deleted meanwhile. Invariant: it ends only where the run was there to the
 * end; else it throws what a reader of a deleted run is told, so that half a file is never taken for a whole one.
 */
import { requireRun } from '@/lib/service/open-run'
import type { Runtime } from '@/lib/service/runtime'

export async function* untilDeleted<T>(runtime: Runtime, runId: string, rows: AsyncIterable<T>): AsyncGenerator<T> {
  yield* rows
  await requireRun(runtime, runId)
}
