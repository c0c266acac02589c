/**
 * The trajectory text of rollouts as a whole: how much there is, and dropping it by a rule.
 * Owns: which rollouts a rule names. Must never touch rollouts: their numbers are what the scheduler is rebuilt from.
 * Invariant: everything goes by slices of the order of arrival, so that no call holds the process for long.
 */
import type { Db, Tx } from './database'
import { Sql } from './sql'

/** What is dropped. Text without a rollout named here stays. */
export interface DropRule {
  /** policy versions above this one stay; null = none stays for its version */
  above: number | null
  /** trusted rollouts under their environment's bar stay: bars by environment ordinal; null = they go like others */
  bars: readonly number[] | null
  /** rollouts with an error, or of another status than ok and truncated, stay */
  keepErrors: boolean
}

export interface TextSum {
  rollouts: number
  bytes: number
}

/** Rollouts of `seq` after and up to, that have text and fall under the rule. */
function dropped(sql: Sql, runId: string, rule: DropRule, after: number, upTo: number): string {
  const parts = [
    `r."runId" = ${sql.take(runId)}`,
    `r."seq" > ${sql.take(after)}`,
    `r."seq" <= ${sql.take(upTo)}`,
    ...(rule.above === null ? [] : [`r."policyVersion" <= ${sql.take(rule.above)}`]),
    ...(rule.bars === null
      ? []
      : [
          `not (r."trusted" and coalesce(r."value" < ${sql.numberAt(sql.take(JSON.stringify(rule.bars)), 'r."environment"')}, false))`,
        ]),
    ...(rule.keepErrors ? [`r."error" is null and r."status" in ('ok', 'truncated')`] : []),
  ]
  return parts.join(' and ')
}

const joined = 'from "Rollout" r join "Trajectory" t on t."runId" = r."runId" and t."rolloutId" = r."id" where'

/** How much text the rule names among those rollouts. */
export async function textUnder(db: Db, runId: string, rule: DropRule, after: number, upTo: number): Promise<TextSum> {
  const sql = new Sql(db)
  const size = sql.bytes('t."messages"')
  const [row] = await sql.rows<{ rollouts: number; bytes: number | null }>(
    `select count(*) as "rollouts", ${sql.sum(size)} as "bytes" ${joined} ${dropped(sql, runId, rule, after, upTo)}`,
  )
  return { rollouts: row?.rollouts ?? 0, bytes: row?.bytes ?? 0 }
}

/** Drops the text that the rule names among those rollouts. */
export async function dropText(tx: Tx, runId: string, rule: DropRule, after: number, upTo: number): Promise<void> {
  const sql = new Sql(tx)
  const statement = `delete from "Trajectory" where "runId" = ${sql.take(runId)} and "rolloutId" in (select r."id" from "Rollout" r where ${dropped(sql, runId, rule, after, upTo)})`
  await tx.client.$executeRawUnsafe(statement, ...sql.values)
}

/** The highest number of a rollout, 0 without any. */
export async function newestRollout(db: Db, runId: string): Promise<number> {
  const { _max } = await db.client.rollout.aggregate({ where: { runId }, _max: { seq: true } })
  return _max.seq ?? 0
}
