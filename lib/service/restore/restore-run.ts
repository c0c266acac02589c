/**
 * Puts a scheduler's state back: into its own run, which then goes on from there in a new epoch, or into another run, which
 * takes its history over. Owns: which of the two it is, what refuses it, and the one transaction that writes it.
 * Invariant: nothing is deleted, what does not count any more is marked; afterwards the engine's state is the fold of the line,
 * to the bit; the same call twice does it once.
 */
import type { Principal } from '@/lib/contract/access'
import { type RestoreAnswer, type RestoreInput, restoreInput } from '@/lib/contract/state'
import type { RestoreEntry } from '@/lib/engine/log-entry'
import { evaluateAlarms } from '@/lib/service/alarms'
import { leaseSeconds } from '@/lib/service/lease-time'
import { type OpenRun, requireRun } from '@/lib/service/open-run'
import { catalogOf, type Runtime } from '@/lib/service/runtime'
import { invalid, ServiceError } from '@/lib/service/service-error'
import { announceRun } from '@/lib/store/announce'
import { appendAudit } from '@/lib/store/audit'
import type { Tx } from '@/lib/store/database'
import { upsertGroups } from '@/lib/store/group'
import type { Fork } from '@/lib/store/line'
import { appendEntries, entriesOfKind, type LogRow } from '@/lib/store/log'
import { insertOverrides } from '@/lib/store/override'
import { findRun, updateRun } from '@/lib/store/run'
import { lockRun } from '@/lib/store/run-lock'
import { dropSnapshotsAfter, putSnapshot } from '@/lib/store/snapshot'
import { endAlarms, moveRollouts, renewLeases, type Superseded, supersedeEnd } from '@/lib/store/supersede'
import { noDifference } from './match-tasks'
import { differenceFrom, planCarryOver } from './plan-carry-over'
import { planGoBack, type RestorePlan } from './plan-go-back'
import { findSource, refuseUnfit } from './restore-source'

/** Reports may move the run between reading and writing: then it is planned again. */
const TRIES = 5

export async function restoreRun(
  runtime: Runtime,
  runId: string,
  body: unknown,
  who: Principal,
  now: number,
): Promise<RestoreAnswer> {
  const parsed = restoreInput.safeParse(body)
  if (!parsed.success) throw invalid('state', parsed.error.issues)
  const answer = await runtime.queue.run(runId, async () => {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const done = await attempt(runtime, runId, parsed.data, who, now)
      if (done !== 'moved') return done
    }
    throw new ServiceError(503, 'busy', 'Reports keep changing this run. Restore it again in a second.')
  })
  if (!answer.repeated) void evaluateAlarms(runtime, runId)
  return answer
}

async function attempt(
  runtime: Runtime,
  runId: string,
  state: RestoreInput,
  who: Principal,
  now: number,
): Promise<RestoreAnswer | 'moved'> {
  const opened = await requireRun(runtime, runId)
  const { run } = opened
  const restores = await entriesOfKind<RestoreEntry>(runtime.database.db, runId, 'restore')
  const known = repeated(opened, restores, state)
  if (known !== null) return repeatedAnswer(runtime, opened, known)
  if (run.status === 'finished')
    throw new ServiceError(
      409,
      'run_over',
      `The run "${run.name}" is finished: start it again by its key, then restore this state.`,
    )
  const source = await findSource(runtime, opened, state)
  await refuseUnfit(runtime, source ?? opened, state)
  const plan =
    source === null
      ? await planGoBack(runtime, opened, state)
      : await planCarryOver(runtime, opened, source, state, now)
  const entry: RestoreEntry = {
    kind: 'restore',
    at: now,
    to: plan.to,
    from: { rollouts: run.rolloutCount, batch: plan.fromBatch },
    fingerprint: state.fingerprint,
    requestId: state.requestId,
    author: who.name,
    source: plan.source,
    carried: plan.carried.length,
    ...(source === null ? {} : { tasks: countsOf(plan.difference) }),
  }
  const forks = restores.map(forkOf)
  const superseded = await runtime.database.transaction((tx) => write(tx, opened, entry, plan, forks, state, now))
  if (superseded === 'moved') return 'moved'
  await runtime.engine.close(runId)
  return {
    restored: true,
    repeated: false,
    epoch: run.epoch + 1,
    seq: run.logSeq + 1 + plan.carried.length,
    batch: plan.to.batch,
    policyVersion: plan.policyVersion,
    source: plan.source,
    superseded,
    taskSet: plan.difference,
    sentence: sentenceOf(plan, superseded),
  }
}

const countsOf = ({ same, changed, added, removed }: RestoreAnswer['taskSet']) => ({ same, changed, added, removed })

const forkOf = ({ seq, epoch, payload }: LogRow<RestoreEntry>): Fork => ({
  seq,
  epoch,
  to: payload.to,
  rollouts: payload.from.rollouts,
})

/** The restore that did this already: of the same call, or the last thing that happened in the run. */
function repeated(
  { run }: OpenRun,
  restores: readonly LogRow<RestoreEntry>[],
  state: RestoreInput,
): LogRow<RestoreEntry> | null {
  const asked = restores.find(({ payload }) => state.requestId !== null && payload.requestId === state.requestId)
  if (asked !== undefined) return asked
  const last = restores.at(-1)
  if (last === undefined || last.payload.fingerprint !== state.fingerprint) return null
  if ((last.payload.source ?? last.payload.to).seq !== state.seq) return null
  const stands = last.seq + last.payload.carried === run.logSeq && last.payload.from.rollouts === run.rolloutCount
  return stands ? last : null
}

async function repeatedAnswer(
  runtime: Runtime,
  opened: OpenRun,
  { seq, epoch, payload }: LogRow<RestoreEntry>,
): Promise<RestoreAnswer> {
  const { source } = payload
  const before = source === null ? null : await findRun(runtime.database.db, source.run)
  const tasks = noDifference(opened.catalog.tasks.length)
  return {
    restored: true,
    repeated: true,
    epoch,
    seq: seq + payload.carried,
    batch: payload.to.batch,
    policyVersion: opened.run.policyVersion,
    source,
    superseded: { batches: 0, rollouts: 0, overrides: 0 },
    // the other run may be deleted since
    taskSet:
      before === null ? tasks : await differenceFrom(runtime, opened, await catalogOf(runtime, before.taskSetId)),
    sentence: 'This state was restored before: nothing was to be done.',
  }
}

async function write(
  tx: Tx,
  { run }: OpenRun,
  entry: RestoreEntry,
  plan: RestorePlan,
  forks: readonly Fork[],
  state: RestoreInput,
  now: number,
): Promise<Superseded | 'moved'> {
  const fresh = await lockRun(tx, run.id)
  if (fresh === null || fresh.rolloutCount !== run.rolloutCount || fresh.epoch !== run.epoch) return 'moved'
  const epoch = run.epoch + 1
  const seq = await appendEntries(tx, run.id, run.logSeq, epoch, [entry, ...plan.carried])
  if (seq === null) return 'moved'
  const { groups, moves, leases, groupCount } = plan.regrouped
  const own = plan.source === null
  const superseded = await supersedeEnd(tx, run.id, {
    seq: plan.to.seq,
    upToSeq: run.logSeq,
    epochs: epochsBetween(forks, plan.to.rollouts, run.rolloutCount),
    leases: plan.goneLeases,
    groups: plan.regrouped.superseded,
    policyVersion: own ? plan.policyVersion : null,
    at: own ? Date.parse(state.at) : 0,
  })
  await upsertGroups(tx, run.id, groups)
  for (const { group, to } of moves) await moveRollouts(tx, run.id, group, plan.to.rollouts, to)
  await renewLeases(tx, run.id, leases, now + leaseSeconds(run) * 1000)
  await insertOverrides(tx, run.id, plan.overrides)
  await endAlarms(tx, run.id, plan.to.batch)
  await dropSnapshotsAfter(tx, run.id, plan.to.seq)
  await putSnapshot(tx, run.id, seq, plan.bytes)
  const over = run.status === 'failed' ? { status: 'live', statusNote: null, finishedAt: null } : {}
  await updateRun(tx, run.id, {
    ...over,
    epoch,
    groupCount,
    batchShift: run.batchCount - plan.batches,
    policyVersion: plan.policyVersion,
    leaseCount: run.leaseCount + plan.leases,
    overrideCount: run.overrideCount + plan.overrideNumbers,
  })
  const detail = JSON.stringify({ to: plan.to, from: entry.from, source: plan.source, epoch })
  await appendAudit(tx, { runId: run.id, at: now, actor: entry.author, action: 'run.restore', detail })
  await announceRun(tx, run.id)
  return superseded
}

/** Rollouts between two arrival numbers by the epoch in which they came. */
function epochsBetween(
  forks: readonly Fork[],
  after: number,
  upTo: number,
): { epoch: number; after: number; upTo: number }[] {
  const starts = [{ epoch: 1, rollouts: 0 }, ...forks].sort((a, b) => a.epoch - b.epoch)
  return starts.flatMap(({ epoch, rollouts }, position) => {
    const from = Math.max(after, rollouts)
    const to = Math.min(upTo, starts[position + 1]?.rollouts ?? upTo)
    return to > from ? [{ epoch, after: from, upTo: to }] : []
  })
}

const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : word === 'batch' ? 'es' : 's'}`

function sentenceOf({ source, to, difference }: RestorePlan, { batches, rollouts }: Superseded): string {
  const left =
    batches + rollouts === 0
      ? ''
      : ` ${counted(batches, 'batch')} and ${counted(rollouts, 'rollout')} of this run no longer count; they stay visible.`
  if (source === null) return `Went back to batch ${to.batch}.${left}`
  const { same, changed, added, removed } = difference
  const tasks = `${counted(same, 'task')} are the same, ${changed} changed, ${added} are new, ${removed} are gone`
  return `Took over the history of "${source.name}" up to batch ${source.batch}: ${tasks}.${left}`
}
