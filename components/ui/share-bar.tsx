/* Owns the bar of evidence shares: own, within, cross, prior, always in this order, together the prediction.
   Shares in any common unit, each at least 0. */
import type { SharesView } from '@/lib/contract/batch'
import { formatFixed } from '@/lib/view/format'
import { Key } from './key'

export const EVIDENCE_KINDS = ['own', 'within', 'cross', 'prior'] as const
export type EvidenceKind = (typeof EVIDENCE_KINDS)[number]

export function ShareBar({ shares }: { shares: SharesView }) {
  const sum = EVIDENCE_KINDS.reduce((total, kind) => total + Math.max(0, shares[kind]), 0)
  const part = (kind: EvidenceKind) => (sum > 0 ? (Math.max(0, shares[kind]) / sum) * 100 : 0)
  return (
    <div
      className="share"
      role="img"
      aria-label={EVIDENCE_KINDS.map((kind) => `${kind} ${formatFixed(part(kind), 0)} %`).join(', ')}
    >
      {EVIDENCE_KINDS.map((kind) =>
        part(kind) > 0 ? <i key={kind} data-evidence={kind} style={{ width: `${part(kind)}%` }} /> : null,
      )}
    </div>
  )
}

export function ShareKeys() {
  return (
    <div className="keys">
      <Key colour="var(--ev-own)">own</Key>
      <Key colour="var(--rel-within)">within</Key>
      <Key colour="var(--rel-cross)">cross</Key>
      <Key colour="var(--ev-prior)" mark="hatch">
        prior
      </Key>
    </div>
  )
}
