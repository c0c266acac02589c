/* Owns what the drawing shows of the evidence, as a list that is read out: one entry a part of the prediction.
   Invariant: the entries' shares sum to the prediction, whether or not a part is drawn. */
import type { EvidenceView } from '@/lib/contract/evidence'
import { formatFixed } from '@/lib/view/format'
import { drawnShares, percentOf } from '@/lib/view/graph-evidence'

export function DrawnPaths({ evidence }: { evidence: EvidenceView }) {
  const whole = evidence.prediction.predictedVariance
  return (
    <ul className="sr-only" aria-label="Paths drawn, by share of the prediction">
      {drawnShares(evidence).map(({ id, label, kind, share, drawn }) => {
        const percent = percentOf(share, whole)
        return (
          <li key={id} data-kind={kind} data-share={share} data-drawn={drawn}>
            {label}, {kind}: {percent === null ? formatFixed(share, 3) : `${formatFixed(percent, 1)} %`}
          </li>
        )
      })}
    </ul>
  )
}
