/* Owns the steps of an import as they read: title, what was done, time.
   Invariant: a step that was under way when the import ended is not shown as done. */
import { ARCHIVE_FORMAT } from '@/lib/contract/archive'
import type { ImportJob, ImportStep } from '@/lib/contract/import-job'
import type { ReplayJob } from '@/lib/contract/replay'
import { formatCount, formatFixed, formatNumber, formatSpan } from './format'
import { skippedRows } from './import-skips'
import { isOver } from './import-verdict'
import { importLine } from './import-words'

interface StepSaid {
  name: ImportStep['name'] | 'replay'
  title: string
  /** none: cancelled, or not possible; nothing is wrong */
  state: 'ok' | 'bad' | 'run' | 'wait' | 'none'
  text: string
  when: string
  /** the state in a word of its own */
  said?: string
}

const TITLES: Record<ImportStep['name'], string> = {
  read: 'Read rows',
  join: 'Join groups',
  graph: 'Build the graph',
  predict: 'Predict and absorb each group',
}

const STATES = { waiting: 'wait', running: 'run', done: 'ok', nothing: 'ok', stopped: 'bad' } as const

type Told = (step: ImportStep, job: ImportJob) => string

/** An archive is stored as it is: one step. */
const storeText: Told = (step, job) => {
  if (step.state === 'running') return importLine(job)
  if (step.state === 'stopped') return 'nothing of an archive stays that did not come in whole'
  return `${formatCount(job.source?.kept ?? 0, 'row')}, each as it was`
}

const readText: Told = (step, job) => {
  const { source } = job
  if (job.format === ARCHIVE_FORMAT) return storeText(step, job)
  if (source === null) return step.state === 'stopped' ? 'no row was taken' : 'not begun'
  const rows = `${formatCount(source.rows, 'row')}; ${formatFixed(source.kept, 0)} kept, ${formatFixed(skippedRows(job), 0)} skipped`
  return step.state === 'running' ? `${rows}; ${importLine(job)}` : rows
}

const joinText: Told = (_, { source }) => {
  if (source === null || source.groups === null) return 'rollouts of one task and one model'
  if (source.groups === 0) return 'the files hold no rollouts'
  const usual = `${formatFixed(source.usualGroups ?? 0, 0)} of them with ${formatCount(source.usualSize ?? 0, 'rollout')}`
  return `${formatCount(source.groups, 'group')} of one task and one model, ${usual}`
}

const graphText: Told = (_, { source }) => {
  if (source?.knownTaskSet === true) return 'this task set is known, so its graph is used'
  const tasks = (source?.environments ?? []).reduce((sum, one) => sum + one.tasks, 0)
  return tasks === 0
    ? 'what tasks share: tools, state, checks, roles'
    : `${formatCount(tasks, 'task')} and what they share`
}

const predictText: Told = (step, job) => {
  if (step.state === 'nothing') return 'a task set without rollouts: there is nothing to predict'
  if (step.state === 'running') return importLine(job)
  if (step.state === 'done') return `${formatCount(step.done ?? 0, 'group')}, each predicted before it was absorbed`
  return 'each group is predicted before it is absorbed, in shadow mode'
}

const TEXTS: Record<ImportStep['name'], Told> = {
  read: readText,
  join: joinText,
  graph: graphText,
  predict: predictText,
}

function stepWhen(step: ImportStep): string {
  if (step.state === 'nothing') return 'nothing to do'
  if (step.state === 'running') return step.secondsLeft === null ? '' : `${formatSpan(step.secondsLeft)} left`
  if (step.state === 'done' && step.seconds !== null) return `${formatNumber('seconds', step.seconds, '')}`
  return step.state === 'stopped' && step.seconds !== null
    ? `stopped after ${formatNumber('seconds', step.seconds, '')}`
    : ''
}

const WHAT = 'what EnvSched would have chosen on this history, beside simpler schedulers'
const FORGOTTEN = 'The server was started anew since, and forgot the replay: ask for it again below.'

type ReplaySaid = Omit<StepSaid, 'name' | 'title'>

/** The replay after the import is a job of the run's own; null until it is known. */
function replaySaid(job: ImportJob, replay: ReplayJob | null): ReplaySaid {
  if (job.run === null && isOver(job)) return { state: 'wait', text: 'there is no history to replay', when: '' }
  if (replay === null) return { state: 'wait', text: WHAT, when: job.replay ? '' : 'not asked for' }
  switch (replay.state) {
    case 'not_yet':
      if (job.replay === false) return { state: 'wait', text: WHAT, when: 'not asked for' }
      return job.state === 'done'
        ? { state: 'wait', text: FORGOTTEN, when: 'not here' }
        : { state: 'wait', text: WHAT, when: '' }
    case 'running':
      return {
        state: 'run',
        text: `${formatFixed(replay.done, 0)}${replay.total === null ? '' : ` of ${formatFixed(replay.total, 0)}`} replays`,
        when: replay.secondsLeft === null ? '' : `${formatSpan(replay.secondsLeft)} left`,
      }
    case 'done':
      return { state: 'ok', text: WHAT, when: tookWords(replay) }
    case 'cancelled':
      return { state: 'none', said: 'cancelled', text: WHAT, when: 'cancelled' }
    case 'impossible':
      return {
        state: 'none',
        said: 'not possible',
        text: replay.why ?? 'this history cannot be replayed',
        when: 'not possible',
      }
    case 'failed':
      return { state: 'bad', text: replay.why ?? 'it failed', when: '' }
  }
}

function tookWords({ startedAt, finishedAt }: ReplayJob): string {
  return startedAt === null || finishedAt === null ? '' : formatNumber('seconds', (finishedAt - startedAt) / 1000, '')
}

function stepSaid(step: ImportStep, job: ImportJob): StepSaid {
  const isArchive = job.format === ARCHIVE_FORMAT
  const said: StepSaid = {
    name: step.name,
    title: isArchive ? 'Store rows' : TITLES[step.name],
    state: STATES[step.state],
    text: TEXTS[step.name](step, job),
    when: stepWhen(step),
  }
  if (job.state !== 'cancelled' || step.state !== 'stopped') return said
  return { ...said, state: 'none', said: 'cancelled', when: said.when.replace('stopped', 'cancelled') || 'cancelled' }
}

export function importSteps(job: ImportJob, replay: ReplayJob | null): StepSaid[] {
  const isArchive = job.format === ARCHIVE_FORMAT
  const steps = job.steps.filter(({ name }) => !isArchive || name === 'read').map((step) => stepSaid(step, job))
  return isArchive ? steps : [...steps, { name: 'replay', title: 'Replay', ...replaySaid(job, replay) }]
}
