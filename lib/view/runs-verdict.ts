/* Owns the Runs page's answer: what needs a person. Invariant: computed from the list, also when it is not good. */
import type { RunSummary } from '@/lib/contract/run'
import { countWord, formatAgo, formatNumber, formatPoints, formatSpan } from './format'

export interface VerdictText {
  sentence: string
  context: string | null
}

/** Points above the uniform slots, 0 to 1; null where either is unknown or the run is itself uniform. */
export function aheadOfUniform(run: RunSummary): number | null {
  if (run.scheduler === 'uniform' || run.informativeShare === null || run.uniformShareInformative === null) return null
  return run.informativeShare - run.uniformShareInformative
}

function silence(run: RunSummary, now: number | null): number | null {
  const at = run.lastReportAt === null ? Number.NaN : Date.parse(run.lastReportAt)
  return now === null || !Number.isFinite(at) ? null : (now - at) / 1000
}

function silentPart(silent: readonly RunSummary[], now: number | null, first: boolean): string {
  const longest = Math.max(...silent.map((run) => silence(run, now) ?? 0))
  const count = countWord(silent.length, first)
  const since = longest > 0 ? ` for ${formatSpan(longest)}` : ''
  return silent.length === 1
    ? `${count} ${first ? 'run ' : ''}has been silent${since}`
    : `${count} ${first ? 'runs ' : ''}have been silent, the longest${since}`
}

function sentence(runs: readonly RunSummary[], now: number | null): string {
  const live = runs.filter((run) => run.status === 'live')
  const silent = runs.filter((run) => run.status === 'silent')
  const failed = runs.filter((run) => run.status === 'failed')
  if (live.length > 0) {
    const head = `${countWord(live.length, true)} ${live.length === 1 ? 'run is' : 'runs are'} live`
    if (silent.length > 0) return `${head}, ${silentPart(silent, now, false)}.`
    return failed.length > 0 ? `${head}, ${countWord(failed.length, false)} failed.` : `${head}.`
  }
  if (silent.length > 0) return `No run is live: ${silentPart(silent, now, false)}.`
  const waiting = runs.filter((run) => run.status === 'waiting')
  if (waiting.length > 0) {
    return `No run is live: ${countWord(waiting.length, false)} ${waiting.length === 1 ? 'waits' : 'wait'} for the first request of a trainer.`
  }
  return 'No run is live.'
}

function bestOf(runs: readonly RunSummary[]): RunSummary | null {
  const known = runs.filter((run) => run.informativeShare !== null)
  return known.reduce<RunSummary | null>(
    (best, run) => (best === null || (run.informativeShare ?? 0) > (best.informativeShare ?? 0) ? run : best),
    null,
  )
}

function context(runs: readonly RunSummary[], now: number | null): string | null {
  const live = runs.filter((run) => run.status === 'live')
  const pool = live.length > 0 ? live : runs
  // what a shadow run's trainer chose says nothing of a scheduler
  const choosing = pool.filter((run) => run.mode !== 'shadow')
  const best = bestOf(choosing)
  if (best === null) {
    const shadow = bestOf(pool)
    if (shadow !== null)
      return `${shadow.name} has ${formatNumber('share', shadow.informativeShare, 'n/a')} informative groups, in tasks that its trainer chose.`
    const newest = [...runs].sort((a, b) => b.createdAt.localeCompare(a.createdAt))[0]
    return newest === undefined ? null : `The newest, ${newest.name}, has no trusted group yet.`
  }
  const ahead = aheadOfUniform(best)
  const which = choosing.length < 2 ? '' : live.length > 0 ? 'Best of the live ones: ' : 'Best of all: '
  const share = `${which}${best.name} ${which === '' ? 'has' : 'with'} ${formatNumber('share', best.informativeShare, 'n/a')} informative groups`
  if (ahead === null) return `${share}${best.scheduler === 'uniform' ? ', by uniform choice' : ''}.`
  if (ahead >= 0.0005) {
    return `${share}, ${formatPoints(ahead, 'n/a').replace('+', '')} points above what uniform choice gets on the same tasks.`
  }
  const seen =
    now === null || live.length > 0 ? '' : ` Its last report came ${formatAgo(best.lastReportAt, now, 'never')}.`
  if (ahead <= -0.0005) {
    return `${share}, ${formatPoints(-ahead, 'n/a').replace('+', '')} points below what uniform choice gets: it does not pay yet.${seen}`
  }
  return `${share}, the same as uniform choice.${seen}`
}

/** `now` in ms, null before the clock of the page runs. */
export function runsVerdict(runs: readonly RunSummary[], now: number | null): VerdictText {
  return { sentence: sentence(runs, now), context: context(runs, now) }
}
