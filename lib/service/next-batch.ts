/**
 * The next batch, not issued, as a page shows it: what came back since the newest batch is folded on a copy first, as it
 * will be when the trainer asks. Writes nothing. Invariant: if nothing more comes back, the trainer gets this batch.
 */
import type { ProposedBatch } from '@/lib/contract/batch'
import { draftInput } from '@/lib/contract/steering'
import type { BatchDecision, BatchRequest } from '@/lib/engine/decision'
import type { LogEntry } from '@/lib/engine/log-entry'
import type { DraftChange } from '@/lib/engine/scheduler'
import { collectDue } from './absorb'
import { markerOf, proposedView } from './batch-view'
import type { Catalog } from './catalog'
import { type OpenRun, withRun } from './open-run'
import { overridePoints } from './read-overrides'
import { groupSizeOf, historyOf } from './run-history'
import type { Runtime } from './runtime'
import { invalid } from './service-error'

/** Before a first batch has told it. */
const FIRST_SIZE = 32

interface NextRequest extends BatchRequest {
  index: number
}

/** What the trainer will probably ask: as the newest batch, at the newest policy version. */
export async function nextRequest(
  runtime: Runtime,
  { run }: OpenRun,
  size: number | null,
  now: number,
): Promise<NextRequest> {
  const history = await historyOf(runtime, run)
  return {
    index: run.batchCount + 1,
    size: size ?? history.batches.at(-1)?.size ?? FIRST_SIZE,
    groupSize: groupSizeOf(history),
    policyVersion: (run.policyVersion ?? -1) + 1,
    at: now,
  }
}

/** What will be folded before the next batch is chosen. */
export async function pendingEntries(
  runtime: Runtime,
  opened: OpenRun,
  { at, policyVersion }: NextRequest,
): Promise<LogEntry[]> {
  return (await collectDue(runtime, opened, at, policyVersion)).entries
}

export function chooseNext(
  runtime: Runtime,
  run: string,
  request: NextRequest,
  draft: DraftChange[],
  pending: LogEntry[],
): Promise<BatchDecision> {
  const { size, groupSize, policyVersion, at } = request
  return runtime.engine.propose(run, { size, groupSize, policyVersion, at }, draft, pending)
}

export async function proposeNext(
  runtime: Runtime,
  runId: string,
  size: number | null,
  now: number,
): Promise<ProposedBatch> {
  const parsed = draftInput.shape.size.safeParse(size)
  if (!parsed.success) throw invalid('size', parsed.error.issues)
  return withRun(runtime, runId, async (opened) => {
    const request = await nextRequest(runtime, opened, parsed.data, now)
    const decision = await chooseNext(runtime, runId, request, [], await pendingEntries(runtime, opened, request))
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
