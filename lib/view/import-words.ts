/* Owns the sentences of an import: how far, how fast, how long still; what was left out and why. */
import type { ImportJob } from '@/lib/contract/import-job'
import type { TaskSetSummary } from '@/lib/contract/task-set'
import { formatCount, formatFixed, formatSpan } from './format'

function amount(job: ImportJob, value: number): string {
  return job.unit === 'bytes' ? `${formatFixed(value / 1e6, 1)} MB` : formatFixed(value, 0)
}

/** "12 400 of 20 000 rows, 3 100 a second, 2 s left" */
export function importLine(job: ImportJob): string {
  const noun = job.unit === 'bytes' ? '' : ` ${job.unit}`
  const done =
    job.total === null
      ? `${amount(job, job.done)}${noun}`
      : `${amount(job, job.done)} of ${amount(job, job.total)}${noun}`
  const rate = job.perSecond === null ? '' : `, ${amount(job, job.perSecond)} a second`
  const left = job.secondsLeft === null ? '' : `, ${formatSpan(job.secondsLeft)} left`
  return `${done}${rate}${left}`
}

/** "8 environments, 200 tasks, 128 tools." */
export function taskSetLine(set: Pick<TaskSetSummary, 'environments' | 'tasks' | 'tools'>): string {
  return `${formatCount(set.environments, 'environment')}, ${formatCount(set.tasks, 'task')}, ${formatCount(set.tools, 'tool')}.`
}
