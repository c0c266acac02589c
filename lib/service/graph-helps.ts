/**
 * Does the graph help in this run: the log loss of what was predicted against the same machinery without structure and on the placebo.
 * Owns: the verdict and its sentence, the unfavourable ones too. Pure.
 * Invariant: "helps" only where both gains are over two standard errors; "does not help" as soon as one of them is not above zero; neither
 * before there are batches enough for a standard error.
 */
import type { GraphHelps } from '@/lib/contract/calibration'

/** Predictors that are compared, by the engine's names. */
const PREDICTED = 'mixture'
const NO_STRUCTURE = 'no structure'
const PLACEBO = 'placebo'

/** Trusted rollouts before which nothing is claimed, batches before which there is no standard error, and those that a claim needs. */
const ENOUGH = 200
const BLOCKS = 5
const ERRORS = 2

interface Scored {
  name: string
  kind: 'model' | 'shadow' | 'mixture'
  logLoss: number | null
}

/** What was known at one moment: trusted rollouts scored so far, and the mean loss of each predictor over them. */
export interface Standing {
  rollouts: number
  predictors: readonly Scored[]
}

type Gain = NonNullable<GraphHelps['overPlacebo']>

const lossOf = ({ predictors }: Standing, name: string): number | null =>
  predictors.find((one) => (name === PREDICTED ? one.kind === 'mixture' : one.name === name))?.logLoss ?? null

/** Summed loss of another predictor minus that of what was predicted. */
function sumAhead(standing: Standing, other: string): number {
  return standing.rollouts * ((lossOf(standing, other) ?? 0) - (lossOf(standing, PREDICTED) ?? 0))
}

/** Gain a rollout over all standings, oldest first; each step between two is one block of a ratio estimate. Null before the first loss. */
export function gainOver(standings: readonly Standing[], other: string): Gain | null {
  const last = standings.at(-1)
  if (last === undefined || last.rollouts === 0 || lossOf(last, other) === null) return null
  const value = sumAhead(last, other) / last.rollouts
  let squares = 0
  let blocks = 0
  let before = { rollouts: 0, ahead: 0 }
  for (const standing of standings) {
    const now = { rollouts: standing.rollouts, ahead: sumAhead(standing, other) }
    const rollouts = now.rollouts - before.rollouts
    if (rollouts <= 0) continue
    squares += (now.ahead - before.ahead - value * rollouts) ** 2
    blocks += 1
    before = now
  }
  if (blocks < BLOCKS) return { value, standardError: null }
  return { value, standardError: Math.sqrt((squares * blocks) / (blocks - 1)) / last.rollouts }
}

const isClear = ({ value, standardError }: Gain) => standardError !== null && value > ERRORS * standardError

const written = (loss: number | null) => (loss === null ? 'n/a' : loss.toFixed(3))

function verdictOf(overNoStructure: Gain, overPlacebo: Gain): 'helps' | 'not_clear' | 'does_not_help' {
  if (overNoStructure.standardError === null || overPlacebo.standardError === null) return 'not_clear'
  if (overNoStructure.value <= 0 || overPlacebo.value <= 0) return 'does_not_help'
  return isClear(overNoStructure) && isClear(overPlacebo) ? 'helps' : 'not_clear'
}

/** Why it is not clear: which lead may be chance. */
function doubt(overNoStructure: Gain, overPlacebo: Gain, steps: string): string {
  if (overNoStructure.standardError === null) return `under ${BLOCKS} ${steps} do not tell a difference from chance`
  if (isClear(overNoStructure)) return 'the lead over the placebo is within two standard errors'
  return `the lead over ${isClear(overPlacebo) ? 'no structure' : 'both'} is within two standard errors`
}

/** `steps`: what lies between two standings, in words. */
export function graphHelps(standings: readonly Standing[], steps = 'batches'): GraphHelps {
  const last = standings.at(-1) ?? { rollouts: 0, predictors: [] }
  const { rollouts } = last
  const overNoStructure = gainOver(standings, NO_STRUCTURE)
  const overPlacebo = gainOver(standings, PLACEBO)
  if (rollouts < ENOUGH || overNoStructure === null || overPlacebo === null) {
    const sentence = `Not enough yet to say whether the graph helps: ${Math.min(rollouts, ENOUGH)} of ${ENOUGH} trusted rollouts are scored.`
    return { verdict: 'not_yet', sentence, rollouts, overNoStructure, overPlacebo }
  }
  const verdict = verdictOf(overNoStructure, overPlacebo)
  const figures = `log loss a rollout ${written(lossOf(last, PREDICTED))}, without structure ${written(lossOf(last, NO_STRUCTURE))}, on shuffled structure (placebo) ${written(lossOf(last, PLACEBO))}`
  const sentence = {
    helps: `The graph helps here: ${figures}.`,
    not_clear: `It is not clear yet whether the graph helps here: ${figures}; ${doubt(overNoStructure, overPlacebo, steps)}.`,
    does_not_help: `The graph does not help here: ${figures}.`,
  }[verdict]
  return { verdict, sentence, rollouts, overNoStructure, overPlacebo }
}
