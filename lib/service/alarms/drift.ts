/**
 * Predictions that drift from what is realised.
 * Formula: gap = mean of (predicted variance - realised variance) over the newest judged groups that had a prediction before
 * they were absorbed. An environment: 24 to 36 groups, |gap| > .12 and > 4 standard errors. The run: 128 to 256 groups, > .08 and
 * > 4 standard errors; then it is said once, for the run.
 * Why: a difference must matter and be no chance. Chosen groups lie a little under their prediction even when all is well
 * (who is chosen is also who was overrated), so the size matters more than the error.
 */
import type { GroupRow } from '@/lib/store/group'
import { meanAndError } from './moments'
import { type AlarmRule, perEnvironment } from './ring'

interface Bar {
  groups: number
  most: number
  size: number
}

const ENVIRONMENT: Bar = { groups: 24, most: 36, size: 0.12 }
const RUN: Bar = { groups: 128, most: 256, size: 0.08 }
const ERRORS = 4

/** Predicted and realised variance of the newest groups, oldest first. */
export type DriftBook = { predicted: number; realised: number }[]

export function foldDrift(
  book: DriftBook,
  { predictedVariance, realisedVariance }: GroupRow,
  scope: 'environment' | 'run',
): void {
  if (predictedVariance === null || realisedVariance === null) return
  if (!Number.isFinite(predictedVariance) || !Number.isFinite(realisedVariance)) return
  book.push({ predicted: predictedVariance, realised: realisedVariance })
  if (book.length > (scope === 'run' ? RUN : ENVIRONMENT).most) book.shift()
}

function words(book: DriftBook, bar: Bar): string | null {
  if (book.length < bar.groups) return null
  const gap = meanAndError(book.map(({ predicted, realised }) => predicted - realised))
  if (gap === null || Math.abs(gap.mean) <= bar.size || Math.abs(gap.mean) <= ERRORS * gap.error) return null
  const mean = (value: (one: DriftBook[number]) => number) =>
    book.reduce((sum, one) => sum + value(one), 0) / book.length
  const predicted = mean((one) => one.predicted)
  const realised = mean((one) => one.realised)
  return `Predicted variance ${predicted.toFixed(3)}, realised ${realised.toFixed(3)} over ${book.length} groups`
}

export const drift: AlarmRule = (run) => {
  const whole = words(run.book.drift, RUN)
  if (whole !== null)
    return [
      {
        key: 'drift',
        kind: 'drift',
        severity: 'warn',
        environment: null,
        title: 'Predictions drift.',
        sentence: `${whole} of all environments: look at Predictions, and check that rewards mean what they did at the start.`,
        ago: 0,
      },
    ]
  return perEnvironment(run, ({ name, paused, book }) => {
    const said = paused ? null : words(book.drift, ENVIRONMENT)
    if (said === null) return null
    return {
      kind: 'drift',
      severity: 'warn',
      title: `${name}: predictions drift.`,
      sentence: `${said}: look whether its rewards or its tasks changed.`,
      ago: 0,
    }
  })
}
