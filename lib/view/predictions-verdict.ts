/* Owns the answer of the Predictions page: can I trust it, and which way it leans. Invariant: computed from the answer, and can be unfavourable. */
import type { Calibration } from '@/lib/contract/calibration'
import { lineWords } from './calibration-words'
import { formatCount, formatFixed, formatNumber } from './format'

/** Groups before anything is claimed, standard errors of a clear lead. */
const ENOUGH = 50
const CLEAR = 2
/** Of the mean of predicted minus realised: standard errors, and the least that matters. */
const LEAN_CLEAR = 3
const LEAN_LEAST = 0.01

const GRAPH: Record<Calibration['helps']['verdict'], string> = {
  helps: 'The graph helps.',
  does_not_help: 'The graph does not help.',
  not_clear: 'Whether the graph helps is not clear yet.',
  not_yet: 'It is too early to say whether the graph helps.',
}

const GUESSES = new Set(['global mean', 'environment mean', 'task history'])

/** The simple guess with the least error. */
function bestGuess({ compared, all }: Calibration) {
  const guesses = compared.flatMap(({ name, behind }, p) => {
    const error = all.errors[p] ?? null
    return GUESSES.has(name) && error !== null ? [{ name, error, behind }] : []
  })
  return guesses.sort((a, b) => a.error - b.error)[0] ?? null
}

function trust(calibration: Calibration): string {
  const { all } = calibration
  const error = all.errors[0] ?? null
  const guess = bestGuess(calibration)
  if (error === null || guess === null) return 'Nothing to judge yet: no group that was predicted has come back.'
  if (all.groups < ENOUGH) return `Not enough yet to trust predictions: ${all.groups} of ${ENOUGH} groups are scored.`
  const floor = all.best === null ? '' : `, ${formatFixed(all.best, 3)} at best`
  const figures = `error ${formatFixed(error, 3)} against ${formatFixed(guess.error, 3)} by ${lineWords(guess.name)}${floor}`
  const lead = guess.behind?.value ?? null
  const doubt = guess.behind?.standardError ?? null
  if (lead === null || doubt === null) return `Too early to trust it: ${figures}.`
  if (lead <= 0) return `Do not trust it here: ${figures}.`
  return lead > CLEAR * doubt ? `Trust it: ${figures}.` : `It may be no better than a simple guess: ${figures}.`
}

const gapOf = ({ predicted, realised }: { predicted: number; realised: number }) => predicted - realised

function leanSentence({ high, leaning }: Calibration): string | null {
  const worst = leaning[0]
  const gap = high === null ? 0 : gapOf(high)
  if (high !== null && Math.abs(gap) >= LEAN_LEAST && Math.abs(gap) > LEAN_CLEAR * high.standardError) {
    const most = worst !== undefined && gapOf(worst) * gap > 0 ? `, most in ${worst.name}` : ''
    return `High variance is ${gap > 0 ? 'over' : 'under'}estimated by ${formatFixed(Math.abs(gap), 3)}${most}.`
  }
  if (worst === undefined) return null
  return `Predictions in ${worst.name} are ${formatFixed(Math.abs(gapOf(worst)), 3)} too ${gapOf(worst) > 0 ? 'high' : 'low'}.`
}

export function predictionsVerdict(calibration: Calibration): { sentence: string; context: string } {
  const { all, compared, helps } = calibration
  const ceiling = compared[0]?.ofCeiling ?? null
  const context = [
    ceiling === null ? null : `It reaches ${formatNumber('share', ceiling, '', { decimals: 0 })} of the noise ceiling.`,
    leanSentence(calibration),
    all.groups === 0
      ? 'A group is judged when it comes back with two trusted rollouts or more.'
      : `${formatCount(all.groups, 'group')}, each predicted before it was seen.`,
  ]
  const sentence = all.groups < ENOUGH ? trust(calibration) : `${trust(calibration)} ${GRAPH[helps.verdict]}`
  return { sentence, context: context.filter((one) => one !== null).join(' ') }
}
