/**
 * The run's log as the engine sees it: the only things that can change its state.
 * Owns: the entry kinds. Invariant: state = fold(entries), to the bit; an entry holds plain JSON numbers and strings,
 * tasks and environments by index, times in epoch milliseconds. Everything random is drawn from the run's seed,
 * a counter in the state and task keys, so an entry stores what was decided, never a random number.
 */
import type { GroupSizing, WeightName } from './config'

export type Slot = 'score' | 'uniform' | 'pin'

export interface BatchEntry {
  kind: 'batch'
  /** 1-based number of the batch in the run */
  batch: number
  at: number
  policyVersion: number
  groupSize: number
  /** `groupSize`: the pick's own, where it is not the batch's */
  picks: { task: number; slot: Slot; lease: number; groupSize?: number }[]
  /** further picks of a batch that was issued before, bought with what its two-stage groups left over */
  more?: true
}

/** A batch of shares: the trainer chooses its own tasks, so nothing is leased. What it rolls out comes as groups with `underShares`. */
export interface SharesEntry {
  kind: 'shares'
  /** numbered with the batches */
  batch: number
  at: number
  policyVersion: number
  groupSize: number
  /** picks that the shares add up to */
  size: number
  /** tasks that its uniform slots were drawn from: their turn in the epoch is over */
  uniform: number[]
}

/** One completed group, trusted rewards only, raw scale. Untrusted rollouts are counted apart. */
export interface GroupEntry {
  kind: 'group'
  at: number
  task: number
  policyVersion: number
  /** the lease number it answers, or null (shadow mode) */
  lease: number | null
  /** how it was picked; null when the trainer picked by itself */
  slot: Slot | null
  /** trusted rollouts, and sum and sum of squares of their statistics value (outcome if reported, else reward) */
  trusted: number
  sum: number
  sumSquares: number
  /** trusted rollouts at the low end and at the high end of the range; both 0..trusted */
  low: number
  high: number
  untrusted: number
  /** of the untrusted ones: verifier errors and missing or invalid rewards */
  verifierErrors: number
  /** mean seconds, turns and tokens of the trusted rollouts, null when not reported */
  seconds: number | null
  turns: number | null
  tokens?: number | null
  /** further reports of a group already absorbed (late rollouts) */
  late: boolean
  /** rollouts by which it counts as informative, where it has two stages: those of the first */
  judged?: number
  /** picked by the trainer under shares: it counts as a pick when it is absorbed */
  underShares?: true
}

export interface LeaseEndEntry {
  kind: 'lease_end'
  at: number
  lease: number
  reason: 'expired' | 'released' | 'drained'
}

export interface RangeEntry {
  kind: 'range'
  at: number
  environment: number
  low: number
  high: number
}

export interface PolicyEntry {
  kind: 'policy'
  at: number
  policyVersion: number
}

export type OverrideChange =
  | { kind: 'weight'; name: WeightName; value: number }
  | { kind: 'uniform_share'; value: number }
  | { kind: 'group_sizing'; value: GroupSizing }
  | { kind: 'quota'; environment: number; lower: number; upper: number }
  | { kind: 'pause'; environment: number; mode: 'hold' | 'drain' }
  | { kind: 'resume'; environment: number }
  | { kind: 'pin'; task: number }
  | { kind: 'ban'; task: number }
  /** multiplies the exploitation of a task or of every task of an environment; 0 to 4, 1 = none */
  | { kind: 'boost'; task: number | null; environment: number | null; factor: number }
  /** takes an earlier override out of force (undo, or removal of a pin, ban, boost, pause) */
  | { kind: 'lift'; override: number }

export interface OverrideEntry {
  kind: 'override'
  at: number
  /** number of this override in the run, unique */
  override: number
  change: OverrideChange
  /** batches it stays in force, null = until lifted. Counted in picks divided by the typical batch size. */
  batches: number | null
}

/**
 * The run went back to an earlier state: entries between `to.seq` and this one are not of its line any more. It changes
 * nothing by itself; whoever folds a log leaves the superseded entries out.
 */
export interface RestoreEntry {
  kind: 'restore'
  at: number
  /** where the line goes on: log number, rollouts in the order they arrived, and newest batch; all 0 = from nothing */
  to: { seq: number; rollouts: number; batch: number }
  /** where the run stood: rollouts, and newest batch */
  from: { rollouts: number; batch: number }
  fingerprint: string
  /** of the call: the same one does it once */
  requestId: string | null
  author: string
  /** the run whose history follows in `carried` entries; null = this run's own */
  source: { run: string; name: string; seq: number; batch: number } | null
  carried: number
  /** tasks of the run against those of `source`; none in entries written before it was kept */
  tasks?: { same: number; changed: number; added: number; removed: number }
}

export type LogEntry =
  | BatchEntry
  | SharesEntry
  | GroupEntry
  | LeaseEndEntry
  | RangeEntry
  | PolicyEntry
  | OverrideEntry
  | RestoreEntry
