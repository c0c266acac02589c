/* Owns the words of a run's status and set-up. */
import type { RunStatus, RunSummary } from '@/lib/contract/run'
import { formatFixed } from './format'

const STATUS_WORDS: Record<RunStatus, string> = {
  waiting: 'Waiting for the first request',
  live: 'Live',
  silent: 'Silent',
  paused: 'Paused',
  finished: 'Finished',
  failed: 'Failed',
}

/** The first words of a run's strip; a run that asked and has not reported yet waits for its first report. */
export function runStatusWords({ status, batch }: Pick<RunSummary, 'status' | 'batch'>): string {
  return status === 'waiting' && batch > 0 ? 'Waiting for the first report' : STATUS_WORDS[status]
}

/** Whether the whole set can be measured in a run: in shadow mode and by some control schedulers nothing is drawn uniformly. */
export function hasUniformSlots(run: Pick<RunSummary, 'mode' | 'scheduler'>): boolean {
  return run.mode === 'choose' && run.scheduler !== 'env-then-task' && run.scheduler !== 'env-bandit'
}

/** The words beside a status in the table: the server's own, else where a failed run stopped and who chooses. */
export function besideStatus(run: Pick<RunSummary, 'status' | 'statusNote' | 'policyVersion' | 'mode'>): string | null {
  if (run.statusNote !== null && run.statusNote !== '') return run.statusNote
  if (run.status === 'failed' && run.policyVersion !== null)
    return `stopped at policy ${formatFixed(run.policyVersion, 0)}`
  return run.mode === 'shadow' ? 'shadow mode' : null
}

/** What each scheduler does, for who chooses one. */
export const SCHEDULER_WORDS: Record<RunSummary['scheduler'], string> = {
  envsched: 'by predicted variance and coverage',
  uniform: 'every task alike',
  'env-then-task': 'environment first, then task',
  'env-then-task-protected': 'environment first, floors for the starved',
  'env-bandit': 'environment by what it gained',
}

/** "qwen3-8b, GRPO, 64 × 8 rollouts": what is known of it, nothing for what is not. */
export function setupWords(
  run: Pick<RunSummary, 'model' | 'algorithm' | 'batchSize' | 'groupSize' | 'stages' | 'mode' | 'scheduler'>,
): string {
  const words = [run.model, run.algorithm].filter((word) => word !== null)
  if (run.stages !== null) words.push(`groups of ${run.stages.join(' + ')}`)
  else if (run.batchSize !== null && run.groupSize !== null) {
    words.push(`${formatFixed(run.batchSize, 0)} × ${formatFixed(run.groupSize, 0)} rollouts`)
  }
  if (run.scheduler !== 'envsched') words.push(`scheduler ${run.scheduler}`)
  if (run.mode === 'shadow') words.push('shadow mode: the trainer chooses')
  return words.join(', ')
}
