/* Owns the Environments page's answer: who is in trouble. Invariant: names the troubled ones; says so when none is. */
import type { EnvironmentRow } from '@/lib/contract/environment'
import { type EnvironmentState, quotaStateOf, stateOf, usedShare } from './environment-words'
import { countWord, formatNumber } from './format'
import type { VerdictText } from './runs-verdict'

function names(rows: readonly EnvironmentRow[], most = 3): string {
  const shown = rows.slice(0, most).map((row) => row.name)
  const rest = rows.length - shown.length
  if (rest > 0) return `${shown.join(', ')} and ${rest} more`
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`
}

const ONE: Partial<Record<EnvironmentState, string>> = {
  starved: 'One environment starves',
  contract: 'One environment hardly pays',
  forgetting: 'One environment is being forgotten',
  failing: 'One environment fails',
}

const outside = (row: EnvironmentRow) => quotaStateOf(row) === 'under' || quotaStateOf(row) === 'over'
const under = (rows: readonly EnvironmentRow[]) => rows.filter((row) => quotaStateOf(row) === 'under')
const over = (rows: readonly EnvironmentRow[]) => rows.filter((row) => quotaStateOf(row) === 'over')

/** "inside their quotas", or what is true where whole picks only come near one. A paused one is not said to be inside. */
function inside(rows: readonly EnvironmentRow[]): string {
  const one = rows.length === 1
  const near = rows.some((row) => {
    const used = usedShare(row)
    return used !== null && (used > row.quota.upper + 1e-9 || used < row.quota.lower - 1e-9)
  })
  const where = one ? 'inside its quota' : 'inside their quotas'
  return near ? `${where}${one ? ', to within' : ' or within'} one pick${one ? '' : ' of them'}` : where
}

function outsideWords(rows: readonly EnvironmentRow[]): string {
  const words = (which: readonly EnvironmentRow[], side: string) =>
    which.length === 0
      ? ''
      : ` ${side} ${which.length === 1 ? 'its' : 'their'} ${side === 'Below' ? 'lower' : 'upper'} quota${which.length === 1 ? '' : 's'}: ${names(which)}.`
  return words(under(rows), 'Below') + words(over(rows), 'Above')
}

function rest(others: readonly EnvironmentRow[]): string {
  if (others.some(outside)) return outsideWords(others)
  const running = others.filter((row) => row.paused === null)
  if (running.length === 0) return ''
  const active = running.length < others.length ? ` that ${running.length === 1 ? 'is' : 'are'} not paused` : ''
  return running.length === 1
    ? ` The other one${active} is ${inside(running)}.`
    : ` The other ${countWord(running.length, false)}${active} are ${inside(running)}.`
}

/** A troubled one that stands below its lower quota starves, whatever else is wrong with it. */
function troubled(bad: readonly EnvironmentRow[], first: EnvironmentRow): string {
  if (bad.length === 1) {
    const also = under(bad).length > 0 && stateOf(first) !== 'starved' ? ' and starves, below its lower quota' : ''
    return `${ONE[stateOf(first)]}${also}: ${first.name}.`
  }
  const starving = under(bad)
  const also =
    starving.length === 0
      ? ''
      : ` ${names(starving)} ${starving.length === 1 ? 'starves, below its lower quota' : 'starve, below their lower quotas'}.`
  return `${countWord(bad.length, true)} environments are in trouble: ${names(bad)}.${also}`
}

function sentence(rows: readonly EnvironmentRow[]): string {
  if (rows.every((row) => row.seen === 0 && row.quota.window === 0)) {
    return 'No environment has been picked yet: the trainer has not asked for a batch.'
  }
  const bad = rows.filter((row) => ONE[stateOf(row)] !== undefined)
  const others = rows.filter((row) => ONE[stateOf(row)] === undefined)
  const first = bad[0]
  if (first !== undefined) return troubled(bad, first) + (bad.length === 1 ? rest(others) : '')
  const of = (state: EnvironmentState) => rows.filter((row) => stateOf(row) === state)
  const low = under(rows)
  const starves =
    low.length === 0
      ? 'No environment starves, but'
      : `${names(low)} ${low.length === 1 ? 'is below its lower quota' : 'are below their lower quotas'}, and`
  if (of('noisy_verifier').length > 0) return `${starves} variance never falls in ${names(of('noisy_verifier'))}.`
  if (of('self_lock').length > 0) return `${starves} some tasks are never paid in ${names(of('self_lock'))}.`
  if (of('drifts').length > 0) return `${starves} predictions drift in ${names(of('drifts'))}.`
  if (rows.some(outside)) return `No environment is in trouble.${outsideWords(rows)}`
  if (rows.length === 1)
    return `${rows[0]?.name ?? 'The only environment'} is the only environment, and not in trouble.`
  const running = rows.filter((row) => row.paused === null)
  if (running.length === rows.length)
    return `No environment is in trouble: ${rows.length === 2 ? 'both' : `all ${countWord(rows.length, false)}`} are ${inside(rows)}.`
  if (running.length === 0) return 'No environment is in trouble: all are paused.'
  return running.length === 1
    ? `No environment is in trouble: the one that is not paused is ${inside(running)}.`
    : `No environment is in trouble: the ${countWord(running.length, false)} that are not paused are ${inside(running)}.`
}

function context(rows: readonly EnvironmentRow[]): string | null {
  const of = (...states: EnvironmentState[]) => rows.filter((row) => states.includes(stateOf(row)))
  const parts: string[] = []
  const solved = of('nearly_solved')
  if (solved.length > 0) parts.push(`${names(solved)} ${solved.length === 1 ? 'is' : 'are'} nearly solved.`)
  const high = of('saturating')
  if (high.length > 0) parts.push(`${names(high)} ${high.length === 1 ? 'is' : 'are'} saturating.`)
  const full = of('at_upper_quota').filter((row) => !outside(row))
  if (full.length > 0)
    parts.push(`${names(full)} ${full.length === 1 ? 'is at its upper quota' : 'are at their upper quotas'}.`)
  const paused = rows.filter((row) => row.paused !== null)
  if (paused.length > 0) parts.push(`${names(paused)} ${paused.length === 1 ? 'is' : 'are'} paused.`)
  if (parts.length > 0) return parts.join(' ')
  const most = [...rows].sort((a, b) => (usedShare(b) ?? 0) - (usedShare(a) ?? 0))[0]
  const used = most === undefined ? null : usedShare(most)
  return most === undefined || used === null
    ? null
    : `Most picked: ${most.name} with ${formatNumber('share', used, '')} of the window.`
}

export function environmentsVerdict(rows: readonly EnvironmentRow[]): VerdictText {
  return { sentence: sentence(rows), context: context(rows) }
}
