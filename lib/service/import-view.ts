/**
 * How a stored import reads: its state, its steps with rate and time left.
 * Invariant: a rate is that of the step under way, over its own time; what is not known is null.
 */
import { IMPORT_STEPS, type ImportJob, type ImportStep } from '@/lib/contract/import-job'
import type { ImportJobRow } from '@/lib/store/import-job'
import type { ImportReport } from './import-progress'

const STATES = ['reading', 'replaying', 'done', 'failed', 'cancelled'] as const

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
    skipped: report.skipped,
    taskSet: job.taskSetId,
    run: job.runId,
    error: job.error,
    startedAt: new Date(job.startedAt).toISOString(),
    endedAt: over ? new Date(job.updatedAt).toISOString() : null,
    bytes: report.bytes ?? null,
    replay: report.replay ?? false,
    steps,
    source: report.source ?? null,
  }
}

function stepOf(
  job: ImportJobRow<ImportReport>,
  name: ImportStep['name'],
  { over, finished, now }: { over: boolean; finished: boolean; now: number },
): ImportStep {
  const times = job.report.steps?.[name]
  const source = job.report.source ?? null
  const unit = name === 'read' ? 'bytes' : name === 'graph' ? 'tasks' : 'groups'
  const total =
    name === 'read'
      ? (job.report.bytes ?? null)
      : name === 'graph'
        ? (source?.environments.reduce((sum, { tasks }) => sum + tasks, 0) ?? null)
        : (source?.groups ?? null)
  const nothing = { done: null, total, unit, perSecond: null, secondsLeft: null, seconds: null } as const
  if (times === undefined) return { name, state: finished ? 'nothing' : over ? 'stopped' : 'waiting', ...nothing }
  const end = times.endedAt ?? (over ? job.updatedAt : now)
  const seconds = Math.max(0, (end - times.startedAt) / 1000)
  if (times.endedAt !== null) return { name, state: 'done', ...nothing, done: total, seconds }
  if (name === 'join' || name === 'graph') return { name, state: over ? 'stopped' : 'running', ...nothing, seconds }
  const perSecond = seconds > 0 && job.done > 0 ? job.done / seconds : null
  const left = job.total === null || perSecond === null || over ? null : Math.max(0, (job.total - job.done) / perSecond)
  return {
    name,
    state: over ? 'stopped' : 'running',
    done: Math.round(job.done),
    total: job.total,
    unit,
    perSecond: over ? null : perSecond,
    secondsLeft: left,
    seconds,
  }
}
