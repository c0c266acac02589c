/* Owns what the live check says: four checks, the verdict, the cause and what to do.
   Must never know how it is drawn. Invariant: green only for what happened; a cause is named only where it was seen. */
import type { ConnectState, RefusedCalls, RefusedReason } from '@/lib/contract/connect'
import { formatClock, formatCount, formatFixed, formatSpan, formatTime } from './format'

export type CheckState = 'ok' | 'bad' | 'run' | 'wait'

export interface LiveCheck {
  key: 'reached' | 'taskSet' | 'batch' | 'report'
  title: string
  state: CheckState
  text: string
  /** ISO time, or null */
  at: string | null
}

/** Seconds after which a batch without any report is a fault and not a long step. */
const LATE = 600

const times = (count: number) => formatCount(count, 'call')

function reachedCheck({ reached, unauthorised }: ConnectState): LiveCheck {
  const base = { key: 'reached', title: 'Reached' } as const
  if (reached === null) {
    const [refused] = unauthorised
    return refused === undefined
      ? { ...base, state: 'run', text: 'No trainer has called yet.', at: null }
      : { ...base, state: 'bad', text: refusedText(refused), at: refused.lastAt }
  }
  const parts = [
    ...(reached.from === null ? [] : [`from ${reached.from}`]),
    ...(reached.client === null ? [] : [`with ${reached.client.replace('/', ' ')}`]),
    ...(reached.token === null ? [] : [`token ${reached.token}`]),
    ...(reached.scope === null ? [] : [`scope ${reached.scope}`]),
  ]
  const text =
    parts.length === 0 ? 'Before this server was started; from where is not kept.' : sentence(parts.join(', '))
  return { ...base, state: 'ok', text, at: reached.at }
}

const sentence = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`

function refusedText({ count, from, client }: RefusedCalls): string {
  const where = from === null ? '' : ` from ${from}`
  const what = client === null ? '' : ` with ${client.replace('/', ' ')}`
  return `${times(count)}${where}${what} ${count === 1 ? 'was' : 'were'} refused.`
}

function taskSetCheck({ taskSet, faults }: ConnectState): LiveCheck {
  const base = { key: 'taskSet', title: 'Task set known' } as const
  const [fault] = faults.filter(({ call }) => /^POST \/(task-sets|runs)$/.test(call))
  if (taskSet === null) {
    if (fault === undefined)
      return { ...base, state: 'wait', text: 'The trainer registers its tasks and starts a run.', at: null }
    return { ...base, state: 'bad', text: `${times(fault.count)} refused: ${fault.message}`, at: fault.lastAt }
  }
  const where = `${formatCount(taskSet.tasks, 'task')} in ${formatCount(taskSet.environments, 'environment')}`
  const others =
    taskSet.otherRuns === 0 ? 'new content' : `the same content as ${formatCount(taskSet.otherRuns, 'other run')}`
  return { ...base, state: 'ok', text: `${taskSet.name}: ${where}, ${others}.`, at: taskSet.at }
}

function batchCheck({ run, batch, faults }: ConnectState): LiveCheck {
  const base = { key: 'batch', title: 'First batch' } as const
  const [fault] = faults.filter(({ call }) => call.endsWith('/batches'))
  if (batch !== null) {
    const drawn = batch.milliseconds === null ? '' : `, the newest drawn in ${formatFixed(batch.milliseconds, 0)} ms`
    const first = batch.rung === 'full' ? '' : ` Drawn by ${batch.rung}.`
    return {
      ...base,
      state: 'ok',
      text: `Batch ${formatFixed(batch.index, 0)}, ${formatCount(batch.picks, 'pick')} of ${formatFixed(batch.groupSize, 0)}${drawn}.${first}`,
      at: batch.at,
    }
  }
  if (run?.mode === 'shadow')
    return { ...base, state: 'ok', text: 'Not asked for: this run is in shadow mode.', at: null }
  if (fault !== undefined)
    return { ...base, state: 'bad', text: `${times(fault.count)} refused: ${fault.message}`, at: fault.lastAt }
  return { ...base, state: run === null ? 'wait' : 'run', text: 'The trainer asks for a batch.', at: null }
}

/** Seconds since the first batch was drawn while nothing was reported; null where that is no question. */
export function lateBy({ at, batch, report }: ConnectState): number | null {
  if (batch === null || report !== null) return null
  const seconds = (Date.parse(at) - Date.parse(batch.at)) / 1000
  return seconds > LATE ? seconds : null
}

function reportCheck(state: ConnectState): LiveCheck {
  const { report, batch, run } = state
  const base = { key: 'report', title: 'First report' } as const
  const late = lateBy(state)
  if (late !== null)
    return {
      ...base,
      state: 'bad',
      text: `Batch 1 is out since ${formatSpan(late)} and nothing was reported.`,
      at: null,
    }
  const [fault] = state.faults.filter(({ call }) => call.endsWith('/rollouts'))
  if (report === null) {
    if (fault !== undefined)
      return { ...base, state: 'bad', text: `${times(fault.count)} refused: ${fault.message}`, at: fault.lastAt }
    const waits = batch !== null || run?.mode === 'shadow'
    return { ...base, state: waits ? 'run' : 'wait', text: 'The trainer reports what it rolled out.', at: null }
  }
  if (report.allRefused)
    return {
      ...base,
      state: 'bad',
      text:
        report.accepted === 0
          ? `${formatCount(report.refused, 'rollout')} arrived, ${report.refused === 1 ? 'and was' : `all ${formatFixed(report.refused, 0)} were`} refused.`
          : `${formatCount(report.accepted, 'rollout')} ${were(report.accepted)} taken before; all of the newest report were refused.`,
      at: report.lastAt,
    }
  if (report.at === null)
    return { ...base, state: 'run', text: 'A report came, without any rollout.', at: report.lastAt }
  const newest = [
    ...(report.untrusted === 0
      ? []
      : [`${formatFixed(report.untrusted, 0)} ${report.untrusted === 1 ? 'is' : 'are'} untrusted`]),
    ...(report.refused === 0 ? [] : [`${formatFixed(report.refused, 0)} ${were(report.refused)} refused`]),
  ]
  const exceptions = newest.length === 0 ? '' : `; of the newest reports ${newest.join(', ')}`
  return {
    ...base,
    state: 'ok',
    text: `${formatCount(report.accepted, 'rollout')} taken${exceptions}.`,
    at: report.at,
  }
}

export function liveChecks(state: ConnectState): LiveCheck[] {
  return [reachedCheck(state), taskSetCheck(state), batchCheck(state), reportCheck(state)]
}

const were = (count: number) => (count === 1 ? 'was' : 'were')

/** The checks while the server does not answer: what they said, none of it in force. */
export const outOfForce = (checks: readonly LiveCheck[]): LiveCheck[] =>
  checks.map((check) => ({ ...check, state: 'wait' }))

/** Runs to watch; where names coincide they are told apart by their start. */
export function watchNames(runs: ConnectState['runs']): { id: string; name: string }[] {
  const counts = new Map<string, number>()
  for (const { name } of runs) counts.set(name, (counts.get(name) ?? 0) + 1)
  return runs.map(({ id, name, startedAt }) => ({
    id,
    name: counts.get(name) === 1 ? name : `${name}, started ${formatTime(startedAt, 'at no known time')}`,
  }))
}

/** Instead of the verdict when the newest look failed. `since`: ISO time of the last answer. `reason`: null where none came. */
export function lostVerdict(since: string, reason: string | null): { sentence: string; context: string } {
  if (reason !== null) return { sentence: reason, context: `What is shown is from ${formatClock(since)}.` }
  return {
    sentence: `The server does not answer since ${formatClock(since).slice(0, 5)}; trainers go on with uniform choice.`,
    context: 'What is shown is from before. Reports wait on the disks of the trainers until it answers again.',
  }
}

export const allGreen = (checks: readonly LiveCheck[]) => checks.every(({ state }) => state === 'ok')

const TOKEN_DOES: Record<string, string> = {
  no_token: 'The trainer sends no token: set ENVSCHED_TOKEN in the shell that starts it.',
  bad_token: 'The token is not known here or was revoked: make one at 1 and set ENVSCHED_TOKEN.',
  expired_token: 'The token ran out: make a new one at 1 and set ENVSCHED_TOKEN.',
  scope: 'The token may only look: make one with the scope report at 1.',
}

/** What to do about refused calls. */
export const refusedAdvice = ({ code, message }: RefusedCalls): string => TOKEN_DOES[code] ?? message

/** What is wrong with refused rollouts, and what to change: both as sentences. */
export function reasonWords(reason: RefusedReason): { cause: string; change: string } {
  const { nearest, alike, count, task } = reason
  const given = sentence(reason.reason)
  if (nearest === null || task === null)
    return {
      cause: given,
      change: 'Report the lease, environment and task as the pick gave them: pick.rollout(reward) does.',
    }
  const others =
    count === 1 || alike === null
      ? ''
      : alike === count
        ? `; all ${formatFixed(count, 0)} differ in the same way`
        : `; ${formatFixed(alike, 0)} of ${formatFixed(count, 0)} differ in the same way`
  const where = nearest.environment === reason.environment ? '' : ` in "${nearest.environment}"`
  return {
    cause: `${given} The nearest key is "${nearest.task}"${where}${others}.`,
    change: 'Report the key, or the lease, as the pick gave it:',
  }
}

export function connectVerdict(state: ConnectState): { sentence: string; context: string } {
  const checks = liveChecks(state)
  const green = checks.filter((check) => check.state === 'ok').length
  const done = `${formatFixed(green, 0)} of 4 checks are green.`
  const [refused] = state.unauthorised
  const name = state.run?.name ?? ''
  if (refused !== undefined)
    return {
      sentence: `A trainer is refused: ${formatCount(refused.count, 'call')} came with a token that may not do it.`,
      context: `${refusedAdvice(refused)} Its training goes on with uniform choice or stops, as its code says.`,
    }
  if (allGreen(checks)) {
    const rollouts = state.report === null ? '' : `, ${formatCount(state.report.accepted, 'rollout')} so far`
    const what = state.run?.mode === 'shadow' ? 'reports' : 'asks, rolls out and reports'
    return {
      sentence: `Connected: ${name} ${what}${rollouts}.`,
      context: 'All 4 checks are green. The run is open to be watched and steered.',
    }
  }
  const bad = checks.find((check) => check.state === 'bad')
  if (bad?.key === 'report' && state.report !== null)
    return {
      sentence: 'Nearly connected: the trainer asks and gets batches, but its reports are refused.',
      context: `${done} ${formatCount(state.report.refused, 'rollout')} ${state.report.refused === 1 ? 'was refused and counts' : 'were refused and count'} nowhere; training itself goes on meanwhile.`,
    }
  if (bad?.key === 'report')
    return {
      sentence: 'Nearly connected: batches go out, but nothing is reported.',
      context: `${done} Report with run.report(rollouts) after each batch.`,
    }
  if (bad !== undefined)
    return { sentence: `Not connected yet: ${bad.title.toLowerCase()} failed.`, context: `${done} ${bad.text}` }
  if (state.run === null)
    return {
      sentence: 'No trainer is connected yet: 3 lines for the shell, and the loop of your trainer.',
      context: 'The checks turn green by themselves, from the first call to the first report.',
    }
  return {
    sentence: `${name} is on its way: ${formatFixed(green, 0)} of 4 checks are green.`,
    context: 'The checks turn green by themselves.',
  }
}
