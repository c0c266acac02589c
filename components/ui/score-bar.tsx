/* Owns the stacked bar of score terms: gains right of zero, penalties left, one scale for a whole table.
   Invariant: widths are the terms themselves; nothing is normalised away, so two bars of one table compare. */
import type { TermsView } from '@/lib/contract/batch'
import { formatFixed } from '@/lib/view/format'
import { Key } from './key'

/** In the order drawn from zero outwards. */
const SCORE_TERMS = ['exploitation', 'coverage', 'quota', 'override', 'similarity', 'recency', 'cost'] as const
type ScoreTerm = (typeof SCORE_TERMS)[number]
type ScoreTerms = Partial<Pick<TermsView, ScoreTerm>>

/** How far the longest bar of a table reaches left and right of zero. */
export function scoreScale(rows: readonly ScoreTerms[]): { left: number; right: number } {
  const scale = { left: 0, right: 0 }
  for (const terms of rows) {
    const values = SCORE_TERMS.map((term) => terms[term] ?? 0)
    scale.left = Math.max(scale.left, -values.filter((v) => v < 0).reduce((a, b) => a + b, 0))
    scale.right = Math.max(
      scale.right,
      values.filter((v) => v > 0).reduce((a, b) => a + b, 0),
    )
  }
  return scale.left + scale.right > 0 ? scale : { left: 0, right: 1 }
}

export function ScoreBar({ terms, scale }: { terms: ScoreTerms; scale: { left: number; right: number } }) {
  const span = scale.left + scale.right
  const width = (value: number) => `${(Math.abs(value) / span) * 100}%`
  const known = SCORE_TERMS.filter((term) => Number.isFinite(terms[term] ?? Number.NaN))
  const losses = known.filter((term) => (terms[term] ?? 0) < 0)
  const gains = known.filter((term) => (terms[term] ?? 0) > 0)
  const lost = losses.reduce((sum, term) => sum - (terms[term] ?? 0), 0)
  return (
    <div
      className="score"
      role="img"
      aria-label={known.map((term) => `${term} ${formatFixed(terms[term] ?? 0, 2)}`).join(', ')}
    >
      <i style={{ width: width(Math.max(0, scale.left - lost)) }} />
      {[...losses].reverse().map((term) => (
        <i key={term} data-term={term} style={{ width: width(terms[term] ?? 0) }} />
      ))}
      {gains.map((term) => (
        <i key={term} data-term={term} style={{ width: width(terms[term] ?? 0) }} />
      ))}
      <b style={{ left: width(scale.left) }} />
    </div>
  )
}

const TERM_KEYS = [
  ['exploitation', 'var(--term-exploit)', 'square'],
  ['coverage', 'var(--term-cover)', 'square'],
  ['quota', 'var(--term-quota)', 'square'],
  ['similarity', 'var(--term-similar)', 'square'],
  ['recency', 'var(--term-recency)', 'hatch'],
] as const

export function ScoreKeys() {
  return (
    <div className="keys">
      {TERM_KEYS.map(([term, colour, mark]) => (
        <Key key={term} colour={colour} mark={mark}>
          {term}
        </Key>
      ))}
    </div>
  )
}
