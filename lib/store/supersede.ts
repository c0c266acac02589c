/**
 * Takes the end of a run's line out of it: rows are marked and kept. Only what a restore writes to tables that others own.
 * Must never know: why, or what the groups hold. Invariant: call it in the transaction that appends the restore; rows that
 * are superseded already are left as they are.
 */
import { inSlices } from './bulk'
import type { Tx } from './database'
import { Sql } from './sql'

export interface Superseded {
  batches: number
  rollouts: number
  overrides: number
}

export interface EndOfLine {
  /** log numbers after this one and up to that */
  seq: number
  upToSeq: number
  /** the rollouts that came later, by their arrival numbers and the epoch in which they came */
  epochs: readonly { epoch: number; after: number; upTo: number }[]
  /** numbers of the leases that were given after it, and of the groups that are superseded whole */
  leases: readonly number[]
  groups: readonly number[]
  /** scores of later policy versions that came after this time */
  policyVersion: number | null
  at: number
}

export async function supersedeEnd(tx: Tx, runId: string, end: EndOfLine): Promise<Superseded> {
  const { client } = tx
  const later = { runId, superseded: false, seq: { gt: end.seq, lte: end.upToSeq } }
  const data = { superseded: true }
  await client.logEntry.updateMany({ where: later, data })
  const batches = await client.batch.updateMany({ where: later, data })
  await inSlices(end.leases, async (slice) => [
    await client.lease.updateMany({ where: { runId, number: { in: slice } }, data: { state: 'superseded' } }),
  ])
  const overrides = await client.override.findMany({ where: later, select: { number: true } })
  await client.override.updateMany({ where: later, data })
  // what they took out of force holds again
  await inSlices(
    overrides.map(({ number }) => number),
    async (slice) => [
      await client.override.updateMany({ where: { runId, undoneBy: { in: slice } }, data: { undoneBy: null } }),
    ],
  )
  await inSlices(end.groups, async (slice) => [
    await client.group.updateMany({ where: { runId, number: { in: slice } }, data }),
  ])
  await client.score.updateMany({
    where: { runId, superseded: false, at: { gt: end.at }, policyVersion: { gt: end.policyVersion ?? -1 } },
    data,
  })
  let rollouts = 0
  for (const segment of end.epochs) rollouts += await shelve(tx, runId, segment)
  return { batches: batches.count, rollouts, overrides: overrides.length }
}

/** Gives the ids of an epoch's rollouts free, in the form of `shelvedId`; their trajectories follow. */
async function shelve(tx: Tx, runId: string, { epoch, after, upTo }: EndOfLine['epochs'][number]): Promise<number> {
  const where = (sql: Sql) =>
    `"runId" = ${sql.take(runId)} and "seq" > ${sql.take(after)} and "seq" <= ${sql.take(upTo)} and "superseded" = false`
  const texts = new Sql(tx)
  await tx.client.$executeRawUnsafe(
    `update "Trajectory" set "rolloutId" = "rolloutId" || ${texts.take(` (epoch ${epoch})`)} where "runId" = ${texts.take(runId)} and "rolloutId" in (select "id" from "Rollout" where ${where(texts)})`,
    ...texts.values,
  )
  const rows = new Sql(tx)
  return tx.client.$executeRawUnsafe(
    `update "Rollout" set "superseded" = true, "id" = "id" || ${rows.take(` (epoch ${epoch})`)} where ${where(rows)}`,
    ...rows.values,
  )
}

/** Moves the rollouts of a group that arrived after a number to another group. */
export async function moveRollouts(tx: Tx, runId: string, group: number, after: number, to: number): Promise<void> {
  await tx.client.rollout.updateMany({ where: { runId, group, seq: { gt: after } }, data: { group: to } })
}

/** Opens leases again, or says that they are complete, and gives the open ones time. */
export async function renewLeases(
  tx: Tx,
  runId: string,
  leases: readonly { number: number; state: 'open' | 'complete' }[],
  expiresAt: number,
): Promise<void> {
  for (const state of ['open', 'complete'] as const) {
    const numbers = leases.filter((lease) => lease.state === state).map(({ number }) => number)
    await inSlices(numbers, async (slice) => [
      await tx.client.lease.updateMany({
        where: { runId, number: { in: slice } },
        data: state === 'open' ? { state, expiresAt } : { state },
      }),
    ])
  }
}

/** Ends what rings now; what still holds rings again by the next evaluation. */
export async function endAlarms(tx: Tx, runId: string, batch: number): Promise<void> {
  await tx.client.alarm.updateMany({ where: { runId, endedAt: null }, data: { endedAt: batch } })
}
