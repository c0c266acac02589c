/**
 * The groups that one report touches: finds or opens the group of each rollout, counts it, and says which are complete.
 * Owns: the rule that a group is a lease, or without one (task, policy version), and that rollouts which come after a
 * group was complete form a further group, one a policy version. Must never know: the database.
 */
import type { GroupRow } from '@/lib/store/group'
import type { LeaseRow } from '@/lib/store/lease'
import type { NewRollout } from '@/lib/store/rollout'

const keyOf = (task: number, lease: number | null, policyVersion: number, late: boolean) => {
  if (lease === null) return `t${task}:${policyVersion}`
  return late ? `l${lease}:${policyVersion}` : `l${lease}`
}

export class GroupBook {
  private readonly open = new Map<string, GroupRow>()
  private readonly byNumber = new Map<number, GroupRow>()
  /** groups that a newly stored rollout counted in, with the place of their last one */
  private readonly touched = new Map<GroupRow, number>()
  /** rollouts of this report that were placed in it */
  private readonly planned = new Map<GroupRow, number>()
  /** groups opened by this report */
  made = 0

  constructor(
    private readonly groupCount: number,
    /** open groups of the leases and of the (task, policy version) pairs that the report names */
    known: readonly GroupRow[],
    private readonly leases: ReadonlyMap<number, LeaseRow>,
    /** by policy version: the batch of shares that rollouts without lease answer */
    private readonly shares: ReadonlyMap<number, { batch: number; groupSize: number }> = new Map(),
  ) {
    for (const group of known) {
      const own = group.superseded === this.isLeftBehind(group.lease)
      if (group.state === 'open' && own)
        this.open.set(keyOf(group.task, group.lease, group.policyVersion, group.late), group)
      this.byNumber.set(group.number, group)
    }
  }

  /** The open group that a rollout belongs to; a late one of its policy version when its lease's group is over. */
  groupFor(task: number, lease: number | null, policyVersion: number): GroupRow {
    const key = keyOf(task, lease, policyVersion, lease !== null)
    const known = this.open.get(keyOf(task, lease, policyVersion, false)) ?? this.open.get(key)
    if (known !== undefined && !this.isFilled(known)) return this.plan(known)
    this.made += 1
    const from = lease === null ? undefined : this.leases.get(lease)
    const group = emptyGroup({
      number: this.groupCount + this.made,
      lease,
      batch: (lease === null ? this.shares.get(policyVersion)?.batch : from?.batch) ?? null,
      slot: from?.slot ?? null,
      task,
      policyVersion,
    })
    group.late = from !== undefined
    group.superseded = this.isLeftBehind(lease)
    this.open.set(key, group)
    this.byNumber.set(group.number, group)
    return this.plan(group)
  }

  private plan(group: GroupRow): GroupRow {
    this.planned.set(group, (this.planned.get(group) ?? 0) + 1)
    return group
  }

  /** Under shares a task may be rolled out twice: what is over a group's size is another group. */
  private isFilled(group: GroupRow): boolean {
    const wanted = group.lease === null ? this.wanted(group) : null
    return wanted !== null && group.returned + (this.planned.get(group) ?? 0) >= wanted
  }

  /** Rollouts that complete it; null = nobody knows. While a second stage is not decided, it may still come. */
  private wanted(group: GroupRow): number | null {
    if (group.firstStage !== null) return group.firstStage + (group.secondStage ?? group.restStage ?? 0)
    if (group.lease !== null) return this.leases.get(group.lease)?.groupSize ?? null
    return group.batch === null ? null : (this.shares.get(group.policyVersion)?.groupSize ?? null)
  }

  /** What still comes of a lease that a restore left behind is kept and never counted. */
  private isLeftBehind(lease: number | null): boolean {
    return lease !== null && this.leases.get(lease)?.state === 'superseded'
  }

  /** Counts a rollout that was newly stored. `order` is its place among all rollouts of the run. */
  count(row: NewRollout, order: number, now: number): void {
    const group = this.byNumber.get(row.group)
    if (group === undefined) throw new Error(`rollout ${row.id} has no group ${row.group}`)
    this.touched.set(group, order)
    group.returned += 1
    group.statuses = { ...group.statuses, [row.status]: (group.statuses[row.status] ?? 0) + 1 }
    if (row.error !== null) group.errors += 1
    if (row.value === null) {
      group.untrusted += 1
      if (row.distrust !== 'status' || row.status === 'verifier_error') group.verifierErrors += 1
    } else {
      group.trusted += 1
      group.sum += row.value
      group.sumSquares += row.value * row.value
      if (row.seconds !== null) {
        group.secondsSum += row.seconds
        group.secondsCount += 1
      }
      if (row.turns !== null) {
        group.turnsSum += row.turns
        group.turnsCount += 1
      }
      if (row.tokens !== null) {
        group.tokensSum += row.tokens
        group.tokensCount += 1
      }
    }
    const wanted = this.wanted(group)
    if (group.state === 'open' && wanted !== null && group.returned >= wanted) complete(group, order, now)
  }

  /** Completes the groups without a lease: the report said that it holds them whole. */
  completeOpen(now: number): void {
    for (const [group, order] of this.touched)
      if (group.state === 'open' && group.lease === null) complete(group, order, now)
  }

  changed(): GroupRow[] {
    return [...this.byNumber.values()].filter((group) => this.touched.has(group) || group.number > this.groupCount)
  }

  /** Numbers of the open leases whose group is complete with this report. */
  leasesComplete(): number[] {
    return [...this.touched.keys()].flatMap((group) =>
      group.state === 'complete' && group.lease !== null && !group.late && !group.superseded ? [group.lease] : [],
    )
  }
}

/** Order is by the rollout that completed it, so all processes absorb in the order that reports came. */
export function complete(group: GroupRow, order: number, now: number): void {
  group.state = 'complete'
  group.completedOrder = order
  group.completedAt = now
}

/** A group of which nothing came back yet. */
export function emptyGroup(
  named: Pick<GroupRow, 'number' | 'lease' | 'batch' | 'slot' | 'task' | 'policyVersion'>,
): GroupRow {
  return {
    ...named,
    late: false,
    state: 'open',
    completedOrder: null,
    logSeq: null,
    returned: 0,
    trusted: 0,
    sum: 0,
    sumSquares: 0,
    low: 0,
    high: 0,
    untrusted: 0,
    verifierErrors: 0,
    errors: 0,
    statuses: {},
    secondsSum: 0,
    secondsCount: 0,
    turnsSum: 0,
    turnsCount: 0,
    tokensSum: 0,
    tokensCount: 0,
    mean: null,
    realisedVariance: null,
    informative: null,
    predictedVariance: null,
    ability: null,
    deviation: null,
    spread: null,
    informativeProbability: null,
    varianceNoise: null,
    shares: null,
    told: null,
    completedAt: null,
    firstStage: null,
    restStage: null,
    secondStage: null,
    decidedBy: null,
    boughtBy: null,
    superseded: false,
  }
}
