/* Owns the bar of shares where some take from the prediction: what takes lies left of zero, what gives right of it.
   Invariant: all parts have one scale, so the right end less the left end is the prediction. */
import type { SharesView } from '@/lib/contract/batch'
import { formatFixed } from '@/lib/view/format'
import { SHARE_KINDS } from '@/lib/view/graph-evidence'

export function SignedShareBar({ shares }: { shares: SharesView }) {
  const size = SHARE_KINDS.reduce((sum, kind) => sum + Math.abs(shares[kind]), 0)
  const parts = SHARE_KINDS.filter((kind) => shares[kind] !== 0).map((kind) => (
    <i
      key={kind}
      data-evidence={kind}
      style={{ width: `${(100 * Math.abs(shares[kind])) / Math.max(1e-12, size)}%`, order: shares[kind] < 0 ? 0 : 2 }}
    />
  ))
  return (
    <div
      className="share items-stretch"
      role="img"
      aria-label={SHARE_KINDS.map((kind) => `${kind} ${formatFixed(shares[kind], 3)}`).join(', ')}
    >
      {parts}
      <b className="order-1 -my-[3px] w-px flex-none bg-ink-2" />
    </div>
  )
}
