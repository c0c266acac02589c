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

const DISTRUST_WORDS: Record<string, string> = {
  status: 'by their status',
  reward_missing: 'without a reward',
  reward_invalid: 'whose reward is no number',
  out_of_range: 'with a reward out of range',
}

/** What came in and what did not: "19 988 rollouts came in. 12 were left out: without a task id (12)." `set` is null until it is read. */
export function importOutcome(job: ImportJob, set: Pick<TaskSetSummary, 'environments' | 'tasks'> | null): string {
  const lost = job.skipped.filter(({ needless }) => needless !== true)
  const skipped = lost.reduce((sum, part) => sum + part.count, 0)
  const untrusted = Object.entries(job.untrusted)
  const marked = untrusted.reduce((sum, [, count]) => sum + count, 0)
  const onlyTasks = job.run === null && job.taskSet !== null
  const tasks =
    set === null ? 'The tasks' : `${formatCount(set.tasks, 'task')} in ${formatCount(set.environments, 'environment')}`
  const before =
    job.duplicates === 0
      ? ''
      : `, ${formatFixed(job.duplicates, 0)} ${job.duplicates === 1 ? 'was' : 'were'} there before`
  const came = onlyTasks ? `${tasks} came in.` : `${formatCount(job.accepted, 'rollout')} came in${before}.`
  const kept =
    marked === 0
      ? ''
      : ` ${formatFixed(marked, 0)} ${marked === 1 ? 'is' : 'are'} kept but not trusted: ${untrusted.map(([why, count]) => `${formatFixed(count, 0)} ${DISTRUST_WORDS[why] ?? why}`).join(', ')}.`
  if (skipped === 0) return `${came}${kept} None was left out.`
  const reasons = lost.map((part) => `${part.reason} (${formatFixed(part.count, 0)})`).join(', ')
  return `${came}${kept} ${formatFixed(skipped, 0)} ${skipped === 1 ? 'was' : 'were'} left out: ${reasons}.`
}
