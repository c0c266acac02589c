/* Owns the sum: own, within, cross and prior in predicted variance and per cent. Invariant: the rows written add up to the prediction written. */
import type { CSSProperties } from 'react'
import { Key } from '@/components/ui/key'
import { ShareBar } from '@/components/ui/share-bar'
import type { EvidenceView } from '@/lib/contract/evidence'
import { formatCount, formatFixed } from '@/lib/view/format'
import { type ShareKind, type ShareRow, shareRows, speaksAgainst } from '@/lib/view/graph-evidence'
import { SignedShareBar } from './signed-share-bar'

const COLOURS: Record<ShareKind, string> = {
  own: 'var(--ev-own)',
  within: 'var(--rel-within)',
  cross: 'var(--rel-cross)',
  prior: 'var(--ev-prior)',
}

function inWords({ kind, count }: ShareRow): string {
  if (count === null) return kind
  return `${kind}, ${formatCount(count, kind === 'own' ? 'group' : 'task')}`
}

function Percent({ value }: { value: number | null }) {
  if (value === null) return <span className="unit">n/a</span>
  return (
    <>
      {formatFixed(value, 1)} <span className="unit">%</span>
    </>
  )
}

export function EvidenceShares({ evidence }: { evidence: EvidenceView }) {
  const { predictedVariance, spread, ability, deviation } = evidence.prediction
  const rows = shareRows(evidence)
  return (
    <>
      <div className="flex items-baseline gap-2">
        <span
          className="explained text-ink-2"
          title={`Expected variance of the reward inside the next group, at most 0.250. Ability ${formatFixed(ability, 2)}, deviation ${formatFixed(deviation, 2)} on the logit scale.`}
        >
          Predicted variance
        </span>
        <span className="ml-auto text-18 font-semibold" data-prediction={predictedVariance}>
          {formatFixed(predictedVariance, 3)}
        </span>
        <span className="whitespace-nowrap text-ink-3" title="Standard deviation of the predicted variance">
          ± {formatFixed(spread, 3)}
        </span>
      </div>
      <div className="mt-[6px] mb-[5px]">
        {speaksAgainst(evidence.shares) ? (
          <SignedShareBar shares={evidence.shares} />
        ) : (
          <ShareBar shares={evidence.shares} />
        )}
      </div>
      <table className="tbl" style={{ '--row': '22px' } as CSSProperties} aria-label="What the prediction is made of">
        <tbody>
          {rows.map((row) => (
            <tr key={row.kind} data-kind={row.kind} data-share={evidence.shares[row.kind]}>
              <td className="border-0! py-px!">
                <Key colour={COLOURS[row.kind]} mark={row.kind === 'prior' ? 'hatch' : 'square'}>
                  {inWords(row)}
                </Key>
              </td>
              <td className="num border-0! py-px!">{formatFixed(row.value, 3)}</td>
              <td className="num w-[62px] border-0! py-px!">
                <Percent value={row.percent} />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className="border-t border-line-2">
            <td className="py-px!">sum = prediction</td>
            <td className="num py-px! font-medium text-ink-1!">{formatFixed(predictedVariance, 3)}</td>
            <td className="num py-px! font-medium text-ink-1!">
              <Percent value={predictedVariance > 0 ? 100 : null} />
            </td>
          </tr>
        </tfoot>
      </table>
    </>
  )
}
