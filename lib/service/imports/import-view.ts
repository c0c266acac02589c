/**
 * How a stored import reads: its state, its steps with rate and time left.
 * Invariant: a rate is that of the step under way, over its own time; what is not known is null.
 */
import { IMPORT_STEPS, type ImportJob, type ImportStep } from '@/lib/contract/import-job'
import type { ImportJobRow } from '@/lib/store/import-job'
import type { ImportReport } from './import-progress'

const STATES = ['reading', 'mapping', 'replaying', 'done', 'failed', 'cancelled'] as const

/** `now`: epoch milliseconds. */
export function importView(job: ImportJobRow<ImportReport>, now: number): ImportJob {
  const state = STATES.find((known) => known === job.state) ?? 'failed'
  const over = state === 'done' || state === 'failed' || state === 'cancelled'
  const steps = IMPORT_STEPS.map((name) => stepOf(job, name, { over, finished: state === 'done', now }))
  const running = steps.find((step) => step.state === 'running')
  const { report } = job
  return {
    id: job.id,
    name: job.name,
    state,
    format: job.format === '' ? null : job.format,
    done: Math.round(job.done),
    total: job.total,
    unit: job.unit === 'groups' ? 'groups' : job.unit === 'rows' ? 'rows' : 'bytes',
    perSecond: running?.perSecond ?? null,
    secondsLeft: running?.secondsLeft ?? null,
    accepted: report.accepted,
    duplicates: report.duplicates ?? 0,
    untrusted: report.untrusted,
    // jobs of earlier versions named the file in the reason
    skipped: report.skipped.map((skip) => ({ ...skip, file: skip.file ?? '', files: skip.files ?? 1 })),
    taskSet: job.taskSetId,
    run: job.runId,
    error: job.error,
    startedAt: new Date(job.startedAt).toISOString(),
    endedAt: over ? new Date(job.updatedAt).toISOString() : null,
    bytes: report.bytes ?? null,
    replay: report.replay ?? false,
    steps,
    source: report.source ?? null,
    ...keptOf(report, state),
  }
}

/** What is there to go on with. */
function keptOf(
  { kept = null, mapping = null, table = null, skippedKept = 0 }: ImportReport,
  state: ImportJob['state'],
) {
  const resumable = kept !== null && (state === 'failed' || state === 'cancelled')
  return { kept, resumable, mapping, table: state === 'mapping' ? table : null, skippedKept }
}

type When = { over: boolean; finished: boolean; now: number }

const UNITS = { read: 'bytes', join: 'groups', graph: 'tasks', predict: 'groups' } as const

function totalOf(name: ImportStep['name'], { source, bytes }: ImportReport): number | null {
  if (name === 'read') return bytes ?? null
  if (name === 'graph') return source?.environments.reduce((sum, { tasks }) => sum + tasks, 0) ?? null
  return source?.groups ?? null
}

function stepOf(job: ImportJobRow<ImportReport>, name: ImportStep['name'], when: When): ImportStep {
  const times = job.report.steps?.[name]
  const total = totalOf(name, job.report)
  const still = { name, unit: UNITS[name], done: null, total, perSecond: null, secondsLeft: null, seconds: null }
  if (times === undefined) return { ...still, state: when.finished ? 'nothing' : when.over ? 'stopped' : 'waiting' }
  const end = times.endedAt ?? (when.over ? job.updatedAt : when.now)
  const seconds = Math.max(0, (end - times.startedAt) / 1000)
  if (times.endedAt !== null) return { ...still, state: 'done', done: total, seconds }
  if (when.over) return { ...still, state: 'stopped', seconds }
  if (name === 'join' || name === 'graph') return { ...still, state: 'running', seconds }
  return {
    ...still,
    state: 'running',
    seconds,
    ...paceOf(job, seconds, name === 'predict' ? (job.report.groupsFrom ?? 0) : 0),
  }
}

/** `from`: what was there when the step began. */
function paceOf({ done, total }: ImportJobRow<ImportReport>, seconds: number, from: number) {
  const perSecond = seconds > 0 && done > from ? (done - from) / seconds : null
  const secondsLeft = total === null || perSecond === null ? null : Math.max(0, (total - done) / perSecond)
  return { done: Math.round(done), total, perSecond, secondsLeft }
}
