/**
 * Preview: the next batch under a draft beside the one without it, same seed. Pure: keyed by log number and draft.
 * Owns: the difference and its honest expectation. Settings that cannot be are refused with the reason and left out.
 */
import { draftInput, type Preview } from '@/lib/contract/steering'
import type { BatchDecision, LeftOut } from '@/lib/engine/decision'
import type { DraftChange } from '@/lib/engine/scheduler'
import { type Catalog, environmentOf, taskAt } from './catalog'
import { drainedLeases, endLeases } from './end-leases'
import { leftOutSentence } from './left-out-sentence'
import { chooseNext, nextRequest, pendingEntries, viewOfNext } from './next-batch'
import { withRun } from './open-run'
import { engineChange } from './override-change'
import type { Runtime } from './runtime'
import { invalid, ServiceError } from './service-error'
import { wilson } from './tally'

export async function previewDraft(runtime: Runtime, runId: string, body: unknown, now: number): Promise<Preview> {
  const parsed = draftInput.safeParse(body)
  if (!parsed.success) throw invalid('draft', parsed.error.issues)
  const { changes, size } = parsed.data
  return withRun(runtime, runId, async (opened) => {
    const { catalog, run } = opened
    const { accepted, refused } = await sift(runtime, runId, changes, (input) => engineChange(catalog, input))
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
      batch: request.index,
      size: draft.picks.length,
      ...differenceOf(catalog, current, draft),
      refused,
      notes: draft.notes,
      draft: await viewOfNext(runtime, catalog, runId, request, draft),
    }
  })
}

/** Splits a draft into what can be and what cannot, each refusal at its place in the draft. */
export async function sift<Input>(
  runtime: Runtime,
  run: string,
  inputs: readonly Input[],
  translate: (input: Input) => DraftChange,
): Promise<{ accepted: DraftChange[]; refused: Preview['refused'] }> {
  const refused: Preview['refused'] = []
  const named: { index: number; change: DraftChange }[] = []
  for (const [index, input] of inputs.entries()) {
    try {
      named.push({ index, change: translate(input) })
    } catch (cause) {
      if (!(cause instanceof ServiceError)) throw cause
      refused.push({ index, message: cause.message })
    }
  }
  const issues = await runtime.engine.issues(
    run,
    named.map(({ change }) => change),
  )
  const accepted: DraftChange[] = []
  for (const [position, { index, change }] of named.entries()) {
    const message = issues[position] ?? null
    if (message === null) accepted.push(change)
    else refused.push({ index, message })
  }
  return { accepted, refused: refused.sort((a, b) => a.index - b.index) }
}

function differenceOf(
  catalog: Catalog,
  current: BatchDecision,
  draft: BatchDecision,
): Pick<Preview, 'enters' | 'leaves' | 'stays' | 'cells' | 'expected' | 'byEnvironment'> {
  const before = new Set(current.picks.map((pick) => pick.task))
  const after = new Set(draft.picks.map((pick) => pick.task))
  const enters = draft.picks.filter((pick) => !before.has(pick.task))
  const leaves = current.picks.filter((pick) => !after.has(pick.task))
  const n = draft.picks.length
  const expected = draft.expectedInformative
  const bounds = n === 0 ? { low: 0, high: 0 } : wilson(expected, n)
  const count = (decision: BatchDecision, environment: number) =>
    decision.picks.filter((pick) => environmentOf(catalog, pick.task) === environment).length
  return {
    enters: enters.map((pick) => ({ task: taskAt(catalog, pick.task), reason: pick.reason, score: pick.score })),
    leaves: leaves.map((pick) => ({
      task: taskAt(catalog, pick.task),
      reason: whyLeft(catalog, pick.task, draft),
      score: pick.score,
    })),
    stays: draft.picks.length - enters.length,
    cells: draft.picks.map((pick) => !before.has(pick.task)),
    expected: { now: current.expectedInformative, draft: expected, low: bounds.low * n, high: bounds.high * n },
    byEnvironment: catalog.environments.map((environment, ordinal) => ({
      environment,
      now: count(current, ordinal),
      draft: count(draft, ordinal),
    })),
  }
}

function whyLeft(catalog: Catalog, task: number, draft: BatchDecision): string {
  const left: LeftOut | undefined = draft.leftOut.find((one) => one.task === task)
  if (left !== undefined) return leftOutSentence(catalog, left)
  return 'Others score higher under the draft'
}
