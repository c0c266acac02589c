/**
 * The evidence of one task as the graph page writes it: four shares, neighbours by contribution, what is left over.
 * Must never know how it is drawn. Invariant: written figures add up. The four rows sum to the written prediction, and
 * of each kind the rows with "n more" sum to the kind's own percentage.
 */
import type { SharesView } from '@/lib/contract/batch'
import type { EvidenceView } from '@/lib/contract/evidence'
import type { EdgeKind } from './graph-edges'
import { roundToSum } from './sum-rounding'

export const SHARE_KINDS = ['own', 'within', 'cross', 'prior'] as const
export type ShareKind = (typeof SHARE_KINDS)[number]
/** Neighbours under this part of the evidence are folded into "n more", and their path has no label. */
export const LABEL_FROM = 0.02
/** As many of each kind are listed however small they are. */
const LISTED = 3
/** More paths than this would only be a tangle. */
export const MOST_PATHS = 50

type Contribution = EvidenceView['contributions'][number]

export interface ShareRow {
  kind: ShareKind
  /** groups of the task itself, or contributing tasks; null for the prior */
  count: number | null
  /** predicted variance, 3 decimals */
  value: number
  /** per cent of the prediction, 1 decimal; null where the prediction is 0 */
  percent: number | null
}

export interface NeighbourRow {
  contribution: Contribution
  percent: number | null
}

export interface NeighbourGroup {
  kind: EdgeKind
  /** largest first */
  rows: NeighbourRow[]
  /** small ones, shown on demand */
  folded: NeighbourRow[]
  /** contributors that the server did not list, and what they add */
  rest: { tasks: number; percent: number | null; share: number }
}

/** Part of the prediction in per cent, or null where there is nothing to part. */
export function percentOf(share: number, whole: number): number | null {
  return whole > 0 ? (100 * share) / whole : null
}

/**
 * What shares are measured against where size counts: all four parts without their sign. It is the prediction itself
 * unless evidence speaks against: then the prior gives more than is left, and the prediction would be too small a scale.
 */
export function evidenceSize({ shares }: EvidenceView): number {
  return SHARE_KINDS.reduce((sum, kind) => sum + Math.abs(shares[kind]), 0)
}

/** True where a part takes from the prediction instead of adding to it. */
export function speaksAgainst(shares: SharesView): boolean {
  const whole = SHARE_KINDS.reduce((sum, kind) => sum + Math.abs(shares[kind]), 0)
  return SHARE_KINDS.some((kind) => shares[kind] < -0.005 * whole)
}

/** Contributing neighbours by size, the largest first. */
export function neighboursBySize({ contributions }: EvidenceView): Contribution[] {
  return contributions.filter(({ kind }) => kind !== 'own').sort((a, b) => Math.abs(b.share) - Math.abs(a.share))
}

export function shareRows(evidence: EvidenceView): ShareRow[] {
  const { shares, contributions, restTasks } = evidence
  const whole = evidence.prediction.predictedVariance
  const parts = SHARE_KINDS.map((kind) => shares[kind])
  const values = roundToSum(parts, whole, 3)
  const percents =
    whole > 0
      ? roundToSum(
          parts.map((part) => (100 * part) / whole),
          100,
          1,
        )
      : null
  const tasks = (kind: EdgeKind) => contributions.filter((one) => one.kind === kind).length + restTasks[kind]
  const groups = contributions.filter((one) => one.kind === 'own').reduce((sum, one) => sum + one.groups.length, 0)
  const count = { own: groups, within: tasks('within'), cross: tasks('cross'), prior: null }
  return SHARE_KINDS.map((kind, i) => ({
    kind,
    count: count[kind],
    value: values[i]!,
    percent: percents === null ? null : percents[i]!,
  }))
}

/** Neighbours of both kinds, largest first, rounded so that each kind adds up to its own row. */
export function neighbourGroups(evidence: EvidenceView): NeighbourGroup[] {
  const whole = evidence.prediction.predictedVariance
  const rows = shareRows(evidence)
  return (['within', 'cross'] as const).map((kind): NeighbourGroup => {
    const sorted = neighboursBySize(evidence).filter((one) => one.kind === kind)
    const total = rows.find((row) => row.kind === kind)?.percent ?? null
    const parts = [...sorted.map((one) => one.share), evidence.rest[kind]]
    const percents =
      total === null
        ? null
        : roundToSum(
            parts.map((part) => (100 * part) / whole),
            total,
            1,
          )
    const listed = sorted.map((contribution, i) => ({ contribution, percent: percents === null ? null : percents[i]! }))
    const size = evidenceSize(evidence)
    const large = listed.filter(({ contribution }) => Math.abs(contribution.share) >= LABEL_FROM * size).length
    const open = Math.max(large, LISTED)
    return {
      kind,
      rows: listed.slice(0, open),
      folded: listed.slice(open),
      rest: {
        tasks: evidence.restTasks[kind],
        percent: percents === null ? null : percents[parts.length - 1]!,
        share: evidence.rest[kind],
      },
    }
  })
}

/** Everything the prediction is made of, once: what is drawn as a path, and what is not. Shares sum to the prediction. */
export interface DrawnShare {
  id: string
  label: string
  kind: ShareKind
  share: number
  drawn: 'path' | 'node' | 'not drawn'
}

export function drawnShares(evidence: EvidenceView): DrawnShare[] {
  const paths = new Set(neighboursBySize(evidence).slice(0, MOST_PATHS))
  const listed = evidence.contributions.map((one): DrawnShare => {
    const drawn = one.kind === 'own' ? 'node' : paths.has(one) ? 'path' : 'not drawn'
    return { id: `${one.kind}-${one.task.id}`, label: one.task.key, kind: one.kind, share: one.share, drawn }
  })
  const rest = (kind: 'own' | 'within' | 'cross', label: string): DrawnShare => {
    return { id: `rest-${kind}`, label, kind, share: evidence.rest[kind], drawn: 'not drawn' }
  }
  return [
    ...listed,
    rest('own', 'older groups of its own'),
    rest('within', `${evidence.restTasks.within} more within`),
    rest('cross', `${evidence.restTasks.cross} more cross`),
    { id: 'prior', label: 'prior', kind: 'prior', share: evidence.shares.prior, drawn: 'not drawn' },
  ]
}
