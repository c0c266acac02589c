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
  contract: 'One environment pays nothing',
  forgetting: 'One environment is being forgotten',
  failing: 'One environment fails',
}

const outside = (row: EnvironmentRow) => quotaStateOf(row) === 'under' || quotaStateOf(row) === 'over'

function rest(others: readonly EnvironmentRow[]): string {
  if (others.length === 0) return ''
  const out = others.filter(outside)
  if (out.length > 0) return ` Outside ${out.length === 1 ? 'its quota' : 'their quotas'}: ${names(out)}.`
  return others.length === 1
    ? ' The other one is inside its quota.'
    : ` The other ${countWord(others.length, false)} are inside their quotas.`
}

function sentence(rows: readonly EnvironmentRow[]): string {
  if (rows.every((row) => row.seen === 0 && row.quota.window === 0)) {
    return 'No environment has been picked yet: the trainer has not asked for a batch.'
  }
  const bad = rows.filter((row) => ONE[stateOf(row)] !== undefined)
  const others = rows.filter((row) => ONE[stateOf(row)] === undefined)
  const first = bad[0]
  if (first !== undefined && bad.length === 1) return `${ONE[stateOf(first)]}: ${first.name}.${rest(others)}`
  if (bad.length > 1) return `${countWord(bad.length, true)} environments are in trouble: ${names(bad)}.`
  const drifts = rows.filter((row) => stateOf(row) === 'drifts')
  const noisy = rows.filter((row) => stateOf(row) === 'noisy_verifier')
  const locked = rows.filter((row) => stateOf(row) === 'self_lock')
  if (noisy.length > 0) return `No environment starves, but variance never falls in ${names(noisy)}.`
  if (locked.length > 0) return `No environment starves, but some tasks are never paid in ${names(locked)}.`
  if (drifts.length > 0) return `No environment starves, but predictions drift in ${names(drifts)}.`
  const out = rows.filter(outside)
  if (out.length > 0) return `No environment starves.${rest(rows)}`
  return rows.length === 1
    ? `${rows[0]?.name ?? 'The only environment'} is the only environment, and not in trouble.`
    : `No environment is in trouble: ${rows.length === 2 ? 'both' : `all ${countWord(rows.length, false)}`} are inside their quotas.`
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
