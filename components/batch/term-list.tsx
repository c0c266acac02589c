/* Owns a pick's score as a sum: every term with its sign, in the order applied, and the total. Sums hold after rounding. */
import type { TermsView } from '@/lib/contract/batch'
import { TERM_ORDER } from '@/lib/view/batch-twin'
import { formatFixed } from '@/lib/view/format'
import { roundToSum } from '@/lib/view/sum-rounding'

const WORDS: Record<(typeof TERM_ORDER)[number], string> = {
  exploitation: 'exploitation',
  coverage: 'coverage',
  recency: 'recency',
  similarity: 'similarity',
  quota: 'quota',
  override: 'override',
  cost: 'trust and cost',
}

export function TermList({ terms, score }: { terms: TermsView; score: number }) {
  const written = roundToSum(
    TERM_ORDER.map((term) => terms[term]),
    score,
    3,
  )
  return (
    <dl className="grid grid-cols-[1fr_auto] gap-x-3 gap-y-[2px] text-12">
      {TERM_ORDER.map((term, i) => {
        const value = written[i] ?? 0
        return (
          <div key={term} className="contents">
            <dt className="text-ink-2">{WORDS[term]}</dt>
            <dd className={`text-right ${Math.abs(value) < 5e-4 ? 'text-ink-3' : ''}`}>
              {formatFixed(value, 3, true)}
            </dd>
          </div>
        )
      })}
      <div className="contents font-semibold">
        <dt className="border-t border-line-control pt-[3px]">score</dt>
        <dd className="border-t border-line-control pt-[3px] text-right">{formatFixed(score, 3)}</dd>
      </div>
    </dl>
  )
}
