/**
 * The exact evidence behind one prediction, now or as of a batch, named and down to the rollouts.
 * The past is a fold of the log up to that batch, on the builder's host, so that a live run does not wait for it.
 */

import type { EvidenceView } from '@/lib/contract/evidence'
import type { Contribution, Evidence } from '@/lib/engine/decision'
import { findBatch } from '@/lib/store/batch'
import type { GroupRow } from '@/lib/store/group'
import { type Catalog, taskAt, taskByIdIn } from './catalog'
import { batchId, groupId, leaseId } from './ids'
import { foldTo, type OpenRun, requireRun, withRun } from './open-run'
import { squaresOf } from './read-batches'
import { groupSizeOf, historyOf, newestBatch, type RunHistory } from './run-history'
import type { Runtime } from './runtime'
import { notFound } from './service-error'

export async function readEvidence(
  runtime: Runtime,
  runId: string,
  task: string,
  batch: number | null,
): Promise<EvidenceView> {
  const { run, catalog } = await requireRun(runtime, runId)
  const ordinal = taskByIdIn(catalog, task)
  const history = await historyOf(runtime, run)
  const groupSize = groupSizeOf(history)
  const evidence =
    batch === null
      ? await withRun(runtime, runId, () => runtime.engine.evidence(runId, ordinal, groupSize))
      : await pastEvidence(runtime, { run, catalog }, ordinal, batch, groupSize)
  return viewOf(runtime, runId, catalog, history, evidence, batch ?? newestBatch(history))
}

/** As the state was when that batch was chosen. */
async function pastEvidence(
  runtime: Runtime,
  opened: OpenRun,
  task: number,
  index: number,
  groupSize: number,
): Promise<Evidence> {
  const stored = await findBatch(runtime.database.db, opened.run.id, index)
  if (stored === null) throw notFound('batch', batchId(index))
  const name = `${opened.run.id} at ${index}`
  return runtime.queue.run('past', async () => {
    await foldTo(runtime, runtime.builder, opened, name, stored.seq - 1)
    try {
      return await runtime.builder.evidence(name, task, groupSize)
    } finally {
      await runtime.builder.close(name)
    }
  })
}

async function viewOf(
  runtime: Runtime,
  runId: string,
  catalog: Catalog,
  history: RunHistory,
  evidence: Evidence,
  batch: number,
): Promise<EvidenceView> {
  const tasks = new Set(evidence.contributions.map((contribution) => contribution.task))
  const groups = [...history.groups.values()].filter((group) => tasks.has(group.task) && group.trusted > 0)
  const squares = await squaresOf(runtime, runId, catalog, groups)
  const foundOf = (task: number, policyVersion: number, lease: number | null) =>
    groups.find(
      (one) => one.task === task && one.lease === lease && (lease !== null || one.policyVersion === policyVersion),
    )
  const outcomesOf = (group: GroupRow | undefined) =>
    (squares.get(group?.number ?? -1) ?? []).flatMap((square) => square.value ?? [])
  const target = taskAt(catalog, evidence.task)
  const contributions = evidence.contributions.map((contribution) => ({
    environment: taskAt(catalog, contribution.task).environment,
    task: taskAt(catalog, contribution.task),
    kind: contribution.kind,
    share: contribution.share,
    edge: contribution.edge,
    through: contribution.through,
    rollouts: contribution.rollouts,
    groups: contribution.groups.map((group) => {
      const found = group.older ? undefined : foundOf(contribution.task, group.policyVersion, group.lease)
      return {
        policyVersion: group.policyVersion,
        size: group.size,
        mean: group.mean,
        variance: group.variance,
        weight: group.weight,
        share: group.share,
        lease: group.lease === null ? null : leaseId(group.lease),
        group: found === undefined ? null : groupId(found.number),
        older: group.older,
        outcomes: outcomesOf(found),
      }
    }),
  }))
  return {
    environment: target.environment,
    task: target,
    text: catalog.set.tasks[evidence.task]?.text ?? null,
    batch,
    prediction: { ...evidence.prediction, shares: evidence.shares },
    shares: evidence.shares,
    contributions,
    edges: evidence.contributions.flatMap((contribution) => flowsOf(catalog, evidence.task, contribution)),
    rest: evidence.rest,
    restTasks: evidence.restTasks,
  }
}

/** A flow runs task, shared thing, task; own evidence and evidence through the baseline alone has one step. */
function flowsOf(
  catalog: Catalog,
  target: number,
  { task, kind, share, through }: Contribution,
): EvidenceView['edges'] {
  const from = taskAt(catalog, task).id
  const to = taskAt(catalog, target).id
  const thing = through[0]
  if (kind === 'own' || thing === undefined) return [{ source: from, target: to, kind, flow: share }]
  return [
    { source: from, target: thing, kind, flow: share },
    { source: thing, target: to, kind, flow: share },
  ]
}
