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
    <table className="w-full text-12">
      <tbody>
        {TERM_ORDER.map((term, i) => (
          <tr key={term} className={Math.abs(written[i] ?? 0) < 5e-4 ? 'text-ink-3' : ''}>
            <th scope="row" className="py-[1px] text-left font-normal text-ink-2">
              {WORDS[term]}
            </th>
            <td className="py-[1px] text-right">{formatFixed(written[i] ?? 0, 3, true)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr className="border-t border-line-2 font-semibold">
          <th scope="row" className="pt-[3px] text-left font-semibold">
            score
          </th>
          <td className="pt-[3px] text-right">{formatFixed(score, 3)}</td>
        </tr>
      </tfoot>
    </table>
  )
}
