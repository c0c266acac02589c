/**
 * Preview: the next batch under a draft beside the one without it, same seed. Pure: keyed by log number and draft.
 * Owns: the difference and its honest expectation. Settings that cannot be are refused with the reason and left out.
 */
import { draftInput, type Preview } from '@/lib/contract/steering'
import type { BatchDecision, LeftOut, PickDecision } from '@/lib/engine/decision'
import type { DraftChange } from '@/lib/engine/scheduler'
import { type Catalog, environmentOf, taskAt } from './catalog'
import { drainedLeases, endLeases } from './end-leases'
import { leftOutSentence } from './left-out-sentence'
import { chooseNext, nextRequest, pendingEntries, viewOfNext } from './next-batch'
import { withRun } from './open-run'
import { engineChange } from './override-change'
import { percent } from './read-overrides'
import type { Runtime } from './runtime'
import { invalid } from './service-error'
import { sift, withNearest } from './sift-draft'
import { wilson } from './tally'

export async function previewDraft(runtime: Runtime, runId: string, body: unknown, now: number): Promise<Preview> {
  const parsed = draftInput.safeParse(body)
  if (!parsed.success) throw invalid('draft', parsed.error.issues)
  const { changes, size } = parsed.data
  return withRun(runtime, runId, async (opened) => {
    const { catalog, run } = opened
    const sifted = await sift(runtime, runId, changes, (input) => engineChange(catalog, input))
    const { accepted } = sifted
    const refused = await withNearest(runtime, runId, catalog, changes, sifted)
    const request = await nextRequest(runtime, opened, size, now)
    const pending = await pendingEntries(runtime, opened, request)
    const current = await chooseNext(runtime, runId, request, [], pending)
    const over = new Set(pending.flatMap((entry) => (entry.kind === 'lease_end' ? [entry.lease] : [])))
    const drained = (await drainedLeases(runtime, opened, accepted)).filter((lease) => !over.has(lease))
    const ending = await endLeases(runtime, opened, drained, 'drained', now)
    const folded = [...ending.entries, ...pending]
    const draft = accepted.length === 0 ? current : await chooseNext(runtime, runId, request, accepted, folded)
    return {
      cursor: run.logSeq,
      newestOverride: run.overrideCount,
      batch: request.index,
      size: draft.picks.length,
      ...differenceOf(catalog, current, draft, accepted),
      refused,
      notes: draft.notes,
      notesNow: current.notes,
      draft: await viewOfNext(runtime, catalog, runId, request, draft),
    }
  })
}

function differenceOf(
  catalog: Catalog,
  current: BatchDecision,
  draft: BatchDecision,
  accepted: readonly DraftChange[],
): Pick<Preview, 'enters' | 'leaves' | 'stays' | 'cells' | 'expected' | 'sizes' | 'byEnvironment'> {
  const before = new Set(current.picks.map((pick) => pick.task))
  const after = new Set(draft.picks.map((pick) => pick.task))
  const enters = draft.picks.filter((pick) => !before.has(pick.task))
  const leaves = current.picks.filter((pick) => !after.has(pick.task))
  const drafted = expectedOf(draft)
  const without = expectedOf(current)
  const count = (decision: BatchDecision, environment: number) =>
    decision.picks.filter((pick) => environmentOf(catalog, pick.task) === environment).length
  return {
    enters: enters.map((pick) => ({ task: taskAt(catalog, pick.task), reason: pick.reason, score: pick.score })),
    leaves: leaves.map((pick) => ({
      task: taskAt(catalog, pick.task),
      reason: whyLeft(catalog, pick, draft, accepted),
      score: pick.score,
    })),
    stays: draft.picks.length - enters.length,
    cells: draft.picks.map((pick) => !before.has(pick.task)),
    expected: {
      now: without.value,
      nowLow: without.low,
      nowHigh: without.high,
      draft: drafted.value,
      low: drafted.low,
      high: drafted.high,
    },
    sizes: { now: sizesOf(current), draft: sizesOf(draft) },
    byEnvironment: catalog.environments.map((environment, ordinal) => ({
      environment,
      now: count(current, ordinal),
      draft: count(draft, ordinal),
    })),
  }
}

/** Informative groups that a batch is expected to give, with Wilson's interval of that many in its picks. */
function expectedOf({ picks, expectedInformative }: BatchDecision): { value: number; low: number; high: number } {
  const n = picks.length
  const bounds = n === 0 ? { low: 0, high: 0 } : wilson(expectedInformative, n)
  return { value: expectedInformative, low: bounds.low * n, high: bounds.high * n }
}

function sizesOf({ picks }: BatchDecision): Preview['sizes']['now'] {
  const counts = new Map<number, number>()
  for (const { groupSize } of picks) counts.set(groupSize, (counts.get(groupSize) ?? 0) + 1)
  return [...counts].map(([rollouts, count]) => ({ rollouts, picks: count })).sort((a, b) => a.rollouts - b.rollouts)
}

/** What the draft itself did to it comes first; the decision lists only the closest of those that were left out. */
function whyLeft(
  catalog: Catalog,
  { task, slot }: PickDecision,
  draft: BatchDecision,
  accepted: readonly DraftChange[],
): string {
  const environment = environmentOf(catalog, task)
  const { code } = taskAt(catalog, task).environment
  for (const { change } of accepted) {
    if (change.kind === 'ban' && change.task === task) return 'Banned by the draft'
    if (change.kind === 'pause' && change.environment === environment) return `${code} would be paused`
  }
  const left: LeftOut | undefined = draft.leftOut.find((one) => one.task === task)
  if (left !== undefined) return leftOutSentence(catalog, left, draft.quotas)
  const quota = accepted.find(({ change }) => change.kind === 'quota' && change.environment === environment)?.change
  if (quota?.kind === 'quota' && quota.upper < 1) return `Fewer places under the upper quota ${percent(quota.upper)}`
  return slot === 'uniform' ? 'Its uniform slot is drawn anew' : 'Others score higher under the draft'
}
