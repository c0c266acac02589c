/**
 * The next batch, not issued: chosen on what has been absorbed so far, as a page shows it. Writes nothing.
 * Groups that came back since the newest batch are not in it yet: they enter when the trainer asks.
 */
import type { ProposedBatch } from '@/lib/contract/batch'
import type { BatchDecision, BatchRequest } from '@/lib/engine/decision'
import type { DraftChange } from '@/lib/engine/scheduler'
import { markerOf, proposedView } from './batch-view'
import type { Catalog } from './catalog'
import { type OpenRun, openRun } from './open-run'
import { overridePoints } from './read-overrides'
import { historyOf } from './run-history'
import type { Runtime } from './runtime'

/** Before a first batch has told the sizes. */
const FIRST_SIZE = 32
const FIRST_GROUP_SIZE = 8

export interface NextRequest extends BatchRequest {
  index: number
}

/** What the trainer will probably ask: as the newest batch, at the newest policy version. */
export async function nextRequest(
  runtime: Runtime,
  { run }: OpenRun,
  size: number | null,
  now: number,
): Promise<NextRequest> {
  const newest = (await historyOf(runtime, run)).batches.at(-1)
  return {
    index: run.batchCount + 1,
    size: size ?? newest?.size ?? FIRST_SIZE,
    groupSize: newest?.groupSize ?? FIRST_GROUP_SIZE,
    policyVersion: (run.policyVersion ?? -1) + 1,
    at: now,
  }
}

export function chooseNext(
  runtime: Runtime,
  run: string,
  request: NextRequest,
  draft: DraftChange[],
): Promise<BatchDecision> {
  const { size, groupSize, policyVersion, at } = request
  return runtime.engine.propose(run, { size, groupSize, policyVersion, at }, draft)
}

export async function proposeNext(
  runtime: Runtime,
  runId: string,
  size: number | null,
  now: number,
): Promise<ProposedBatch> {
  return runtime.queue.run(runId, async () => {
    const opened = await openRun(runtime, runId)
    const request = await nextRequest(runtime, opened, size, now)
    const decision = await chooseNext(runtime, runId, request, [])
    return viewOfNext(runtime, opened.catalog, runId, request, decision)
  })
}

export async function viewOfNext(
  runtime: Runtime,
  catalog: Catalog,
  runId: string,
  request: NextRequest,
  decision: BatchDecision,
): Promise<ProposedBatch> {
  const points = await overridePoints(runtime, runId, catalog)
  const holding = points.filter((point) => point.holds(request.index)).map(markerOf)
  return proposedView(catalog, decision, request, holding)
}
