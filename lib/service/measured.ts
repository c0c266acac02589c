/**
 * Bytes and rows of a run by table, kept in memory and only added to.
 * Owns: which rows were counted already. Invariant: a poll reads what is new since the last one, in slices with pauses.
 * A table whose rows go away again (blobs, snapshots, text) is counted anew, since there are few or they are cheap to sum.
 */
import { setImmediate as pause } from 'node:timers/promises'
import type { Db } from '@/lib/store/database'
import { highestOf, MEASURED_TABLES, type MeasuredTable, type Sum, sumOf } from '@/lib/store/run-tables'
import { type TextSum, textUnder } from '@/lib/store/trajectory'

/** Numbers a slice: some milliseconds of a synchronous database. */
export const SLICE: Record<MeasuredTable, number> = {
  Rollout: 4000,
  Pick: 50,
  Batch: 500,
  Lease: 10_000,
  Group: 5000,
  LogEntry: 2000,
  PredictionBlob: 1000,
  Override: 5000,
  Snapshot: 1e9,
  AuditEvent: 1e9,
}
const ANEW: readonly MeasuredTable[] = ['PredictionBlob', 'Snapshot', 'AuditEvent']
const TEXT_SLICE = 2000

interface Counted {
  upTo: number
  sum: Sum
}

export interface Measured {
  tables: Record<MeasuredTable, Sum>
  text: TextSum
}

export class RunMeasure {
  private readonly tables = new Map<MeasuredTable, Counted>()
  private text: { upTo: number; sum: TextSum; sweptAt: number | null } | null = null

  /** `sweptAt`: when text was last dropped; another time than before counts the text anew. */
  async read(db: Db, run: string, sweptAt: number | null): Promise<Measured> {
    const tables = {} as Record<MeasuredTable, Sum>
    for (const table of MEASURED_TABLES) tables[table] = await this.table(db, run, table)
    return { tables, text: await this.textOf(db, run, sweptAt, this.tables.get('Rollout')?.upTo ?? 0) }
  }

  private async table(db: Db, run: string, table: MeasuredTable): Promise<Sum> {
    const known = ANEW.includes(table) ? undefined : this.tables.get(table)
    const counted = { upTo: known?.upTo ?? 0, sum: { rows: known?.sum.rows ?? 0, bytes: known?.sum.bytes ?? 0 } }
    const top = await highestOf(db, run, table)
    while (counted.upTo < top) {
      const upTo = Math.min(top, counted.upTo + SLICE[table])
      add(counted.sum, await sumOf(db, run, table, counted.upTo, upTo))
      counted.upTo = upTo
      await pause()
    }
    this.tables.set(table, counted)
    return { ...counted.sum }
  }

  /** Of the rollouts that were counted: reports go on meanwhile. */
  private async textOf(db: Db, run: string, sweptAt: number | null, upTo: number): Promise<TextSum> {
    const known = this.text !== null && this.text.sweptAt === sweptAt ? this.text : null
    const more = await textBetween(db, run, EVERYTHING, known?.upTo ?? 0, upTo)
    const sum = { rollouts: (known?.sum.rollouts ?? 0) + more.rollouts, bytes: (known?.sum.bytes ?? 0) + more.bytes }
    this.text = { upTo, sum, sweptAt }
    return { ...sum }
  }
}

export const EVERYTHING = { above: null, bars: null, keepErrors: false } as const

/** Text under a rule among rollouts after one and up to another, by slices. */
export async function textBetween(
  db: Db,
  run: string,
  rule: Parameters<typeof textUnder>[2],
  after: number,
  upTo: number,
): Promise<TextSum> {
  const sum: TextSum = { rollouts: 0, bytes: 0 }
  for (let at = after; at < upTo; at += TEXT_SLICE) {
    const slice = await textUnder(db, run, rule, at, Math.min(upTo, at + TEXT_SLICE))
    sum.rollouts += slice.rollouts
    sum.bytes += slice.bytes
    await pause()
  }
  return sum
}

function add(sum: Sum, more: Sum): void {
  sum.rows += more.rows
  sum.bytes += more.bytes
}
