/**
 * Which setting an override rules and over which batches: from stored rows alone, without the engine.
 * Owns: keys of settings, how an override ends, what holds beside it. Must never know: sentences, tasks by name.
 * Invariant: two overrides of one key replace each other, the later wins; expiries count batches as if all were typical.
 */
import type { RestorePoint } from '@/lib/contract/state'
import type { OverrideChange } from '@/lib/engine/log-entry'
import type { OverrideRow } from '@/lib/store/override'

/** `until`: the first batch that it does not hold for, where a restore lies in between */
export type Row = OverrideRow<OverrideChange> & { until?: number }

/** Rows with their batches where the line of the run has them: what restores left behind is not counted. */
export function onLine(rows: readonly Row[], restores: readonly RestorePoint[]): Row[] {
  return rows.map((row) => {
    if (row.superseded) return row
    const later = restores.filter(({ source, at }) => source === null && Date.parse(at) >= row.at)
    const place = (batch: number) => later.reduce((now, { to, from }) => (now > to ? now + from - to : now), batch)
    const moved = { ...row, fromBatch: place(row.fromBatch) }
    return row.batches === null ? moved : { ...moved, until: place(row.fromBatch + row.batches) }
  })
}

/** null: a lift rules nothing by itself. A resume rules what a pause does. */
export function settingKey(change: OverrideChange): string | null {
  switch (change.kind) {
    case 'weight':
      return `weight ${change.name}`
    case 'uniform_share':
    case 'group_sizing':
      return change.kind
    case 'quota':
      return `quota ${change.environment}`
    case 'pause':
    case 'resume':
      return `pause ${change.environment}`
    case 'pin':
    case 'ban':
      return `${change.kind} ${change.task}`
    case 'boost':
      return `boost ${change.task === null ? `environment ${change.environment}` : `task ${change.task}`}`
    case 'lift':
      return null
  }
}

export interface Span {
  from: number
  /** first batch that it does not hold for any more; null = none so far */
  until: number | null
  /** number of the row that ended it; null = it ran out, or has not ended */
  endedBy: number | null
}

/** Over which batches a row held or holds; null for what rules nothing over time (lift, resume). */
export function spanOf(rows: readonly Row[], row: Row): Span | null {
  const { change, fromBatch: from } = row
  if (change.kind === 'lift' || change.kind === 'resume') return null
  const ends: { until: number; endedBy: number | null }[] = []
  if (row.batches !== null) ends.push({ until: row.until ?? from + row.batches, endedBy: null })
  const undone = rows.find(({ number }) => number === row.undoneBy)
  if (undone !== undefined) ends.push({ until: undone.fromBatch, endedBy: undone.number })
  if (change.kind === 'pause') {
    const resumed = rows.find(
      (other) =>
        other.number > row.number && other.change.kind === 'resume' && other.change.environment === change.environment,
    )
    if (resumed !== undefined) ends.push({ until: resumed.fromBatch, endedBy: resumed.number })
  }
  const first = ends.sort((a, b) => a.until - b.until)[0]
  return { from, until: first?.until ?? null, endedBy: first?.endedBy ?? null }
}

/** The row whose value the setting has in a batch, or null: the run's configuration. `seq`: log number of that batch. */
export function ruling(rows: readonly Row[], key: string, batch: number, seq: number): Row | null {
  const holds = (row: Row) => {
    const span = spanOf(rows, row)
    return span !== null && row.seq < seq && span.from <= batch && (span.until === null || span.until > batch)
  }
  return rows.findLast((row) => settingKey(row.change) === key && holds(row)) ?? null
}

/** Later row in force on the same setting, and the value that would hold if this one were undone. */
export function beside(
  rows: readonly Row[],
  row: Row,
  inForce: (number: number) => boolean,
): { later: Row | null; backTo: string } {
  const key = settingKey(row.change)
  const same = rows.filter((other) => settingKey(other.change) === key && other.change.kind !== 'resume')
  const holding = same.filter((other) => other.number !== row.number && inForce(other.number))
  const last = holding.at(-1)
  const later = last !== undefined && last.number > row.number ? last : null
  return { later, backTo: last?.after ?? same[0]?.before ?? row.before }
}

/** The pause that a resume ended, newest first; null where none held. */
export function resumedPause(rows: readonly Row[], resume: Row): Row | null {
  return rows.findLast((row) => row.change.kind === 'pause' && spanOf(rows, row)?.endedBy === resume.number) ?? null
}
