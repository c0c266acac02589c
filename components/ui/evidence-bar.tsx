/* Owns the bar of one row of the evidence tree. `start` and `share` are parts of the whole prediction, 0 to 1, so that a child's bar lies inside its parent's. */
import type { EvidenceKind } from './share-bar'

export function EvidenceBar({
  kind,
  start,
  share,
  thin = false,
  against = false,
}: {
  kind: EvidenceKind
  start: number
  share: number
  /** Below depth 0. */
  thin?: boolean
  /** Evidence that lowers the prediction: its bar runs backwards and is hollow. */
  against?: boolean
}) {
  return (
    <div className="evidence-bar" aria-hidden="true">
      <i
        data-evidence={kind}
        data-thin={thin === true ? '' : undefined}
        data-against={against === true ? '' : undefined}
        style={{ left: `${start * 100}%`, width: `${share * 100}%` }}
      />
    </div>
  )
}
