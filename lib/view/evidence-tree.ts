/**
 * Owns the rows of the evidence tree: own, within, cross, prior; tasks under a relation; groups under a task.
 * Must never know how rows are drawn or which are open.
 * Invariant: at each level the written shares and variances of the children add up to the parent's, after rounding too,
 * and a child's bar starts inside its parent's. Shares may be negative: such a bar runs backwards.
 */
import type { ContributionView, EvidenceView } from '@/lib/contract/evidence'
import type { EnvironmentRef, TaskRef } from '@/lib/contract/task-set'
import { roundToSum } from './sum-rounding'

export type EvidenceSource = 'own' | 'within' | 'cross' | 'prior'
type Group = ContributionView['groups'][number]

export interface EvidenceNode {
  id: string
  depth: 0 | 1 | 2
  source: EvidenceSource
  label: string
  /** null for relations and rests */
  task: TaskRef | null
  group: Group | null
  edge: number | null
  through: string[]
  /** decayed mass of trusted rollouts, null where none is said */
  rollouts: number | null
  /** exact part of the predicted variance */
  share: number
  /** as written: three decimals of variance, one of per cent (null when the prediction is 0) */
  variance: number
  percent: number | null
  /** where the bar starts and how long it is, 0 to 1 of the bar's track */
  start: number
  length: number
  children: EvidenceNode[]
}

interface Draft {
  id: string
  source: EvidenceSource
  label: string
  task?: TaskRef
  group?: Group
  edge?: number | null
  through?: string[]
  rollouts?: number | null
  share: number
  children: Draft[]
}

const EMPTY = 1e-9

function groupDrafts(owner: string, contribution: ContributionView): Draft[] {
  const { kind, groups, share } = contribution
  const rows: Draft[] = groups.map((group, i) => ({
    id: `${owner}/g${i}`,
    source: kind,
    label: group.older ? 'older groups' : `policy ${group.policyVersion}`,
    group,
    rollouts: group.weight,
    share: group.share,
    children: [],
  }))
  const missing = share - groups.reduce((sum, group) => sum + group.share, 0)
  if (rows.length > 0 && Math.abs(missing) > 1e-6) {
    rows.push({ id: `${owner}/rest`, source: kind, label: 'not told apart', share: missing, children: [] })
  }
  return rows
}

/** What is left of its groups after fading, so that rows add up to their parent; as told where no group is. */
function massOf({ groups, rollouts }: ContributionView): number {
  return groups.length === 0 ? rollouts : groups.reduce((sum, { weight }) => sum + weight, 0)
}

function taskDrafts(evidence: EvidenceView, kind: 'within' | 'cross'): Draft[] {
  const rows = evidence.contributions
    .filter((contribution) => contribution.kind === kind)
    .map((contribution): Draft => {
      const id = `${kind}/${contribution.task.id}`
      return {
        id,
        source: kind,
        label: contribution.task.key,
        task: contribution.task,
        edge: contribution.edge,
        through: contribution.through,
        rollouts: massOf(contribution),
        share: contribution.share,
        children: groupDrafts(id, contribution),
      }
    })
  const more = evidence.restTasks[kind]
  const rest = evidence.rest[kind]
  if (more > 0 || Math.abs(rest) > EMPTY) {
    rows.push({
      id: `${kind}/rest`,
      source: kind,
      label: more > 0 ? `${more} more` : 'below the cut',
      share: rest,
      children: [],
    })
  }
  return rows
}

function ownDraft(evidence: EvidenceView): Draft {
  const own = evidence.contributions.filter(({ kind }) => kind === 'own')
  const children = own.flatMap((contribution) => groupDrafts('own', contribution))
  if (children.length > 0 && Math.abs(evidence.rest.own) > EMPTY) {
    children.push({ id: 'own/faded', source: 'own', label: 'below the cut', share: evidence.rest.own, children: [] })
  }
  const rollouts = own.length === 0 ? 0 : own.reduce((sum, contribution) => sum + massOf(contribution), 0)
  return { id: 'own', source: 'own', label: 'own rollouts', rollouts, share: evidence.shares.own, children }
}

function relationDraft(evidence: EvidenceView, kind: 'within' | 'cross'): Draft {
  const children = taskDrafts(evidence, kind)
  const told = evidence.contributions.filter((contribution) => contribution.kind === kind).length
  const tasks = told + evidence.restTasks[kind]
  const where = kind === 'within' ? `within ${evidence.environment.code}` : 'cross'
  const label = `${where}, ${tasks} ${tasks === 1 ? 'task' : 'tasks'}`
  return { id: kind, source: kind, label, share: evidence.shares[kind], children }
}

function priorLabel(environment: EnvironmentRef): string {
  return `prior, ${environment.code} at this policy`
}

interface Track {
  low: number
  span: number
}

// The track holds every partial sum, so that a negative share and the ones before it both fit.
function trackOf(drafts: readonly { share: number }[]): Track {
  let at = 0
  let low = 0
  let high = 0
  for (const { share } of drafts) {
    at += share
    low = Math.min(low, at)
    high = Math.max(high, at)
  }
  return { low, span: high - low > EMPTY ? high - low : 1 }
}

/** Where 0 and the prediction stand on the bars' track, 0 to 1; `against`: some evidence lowers the prediction. */
export function evidenceTrack(evidence: EvidenceView): { zero: number; end: number; against: boolean } {
  const { own, within, cross, prior } = evidence.shares
  const parts = [own, within, cross, prior].map((share) => ({ share }))
  const { low, span } = trackOf(parts)
  const sum = own + within + cross + prior
  return { zero: (0 - low) / span, end: (sum - low) / span, against: parts.some(({ share }) => share < -EMPTY) }
}

function place(
  drafts: readonly Draft[],
  from: number,
  written: { variance: number; percent: number | null },
  depth: number,
  track: Track,
  whole: number,
): EvidenceNode[] {
  const shares = drafts.map(({ share }) => share)
  const variances = roundToSum(shares, written.variance, 3)
  const percents =
    written.percent === null
      ? null
      : roundToSum(
          shares.map((share) => (share / whole) * 100),
          written.percent,
          1,
        )
  let at = from
  return drafts.map((draft, i) => {
    const start = at
    at += draft.share
    const own = { variance: variances[i] ?? 0, percent: percents === null ? null : (percents[i] ?? 0) }
    return {
      id: draft.id,
      depth: depth === 0 ? 0 : depth === 1 ? 1 : 2,
      source: draft.source,
      label: draft.label,
      task: draft.task ?? null,
      group: draft.group ?? null,
      edge: draft.edge ?? null,
      through: draft.through ?? [],
      rollouts: draft.rollouts ?? null,
      share: draft.share,
      ...own,
      start: (Math.min(start, at) - track.low) / track.span,
      length: Math.abs(draft.share) / track.span,
      children: place(draft.children, start, own, depth + 1, track, whole),
    }
  })
}

/** The whole tree; `variance` and `percent` of the roots add up to the prediction as written. */
export function evidenceTree(evidence: EvidenceView): EvidenceNode[] {
  const drafts: Draft[] = [
    ownDraft(evidence),
    relationDraft(evidence, 'within'),
    relationDraft(evidence, 'cross'),
    {
      id: 'prior',
      source: 'prior',
      label: priorLabel(evidence.environment),
      share: evidence.shares.prior,
      children: [],
    },
  ]
  const whole = evidence.prediction.predictedVariance
  const percent = Math.abs(whole) > EMPTY ? 100 : null
  return place(drafts, 0, { variance: whole, percent }, 0, trackOf(drafts), whole)
}

/** Rows in reading order, with only the children of open ones. */
export function openRows(nodes: readonly EvidenceNode[], isOpen: (node: EvidenceNode) => boolean): EvidenceNode[] {
  return nodes.flatMap((node) => (isOpen(node) ? [node, ...openRows(node.children, isOpen)] : [node]))
}

/** Relations, and the first task of the within relation: down to the rollouts at the first look. */
export function openAtFirst(nodes: readonly EvidenceNode[]): Set<string> {
  const open = new Set(nodes.filter(({ children }) => children.length > 0).map(({ id }) => id))
  const first = nodes.find(({ id }) => id === 'within')?.children[0]
  if (first !== undefined && first.children.length > 0) open.add(first.id)
  return open
}
