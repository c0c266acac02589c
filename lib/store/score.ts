/**
 * The trainer's own evaluations. Invariant: one value a name and policy version; the newest report of it counts. Those of
 * a superseded part are kept and not listed, until the version is scored again.
 */
import type { Db, Tx } from './database'

export interface ScoreRow {
  name: string
  policyVersion: number
  value: number
  at: number
}

export async function putScore(tx: Tx, runId: string, score: ScoreRow): Promise<void> {
  const { name, policyVersion, value, at } = score
  await tx.client.score.upsert({
    where: { runId_name_policyVersion: { runId, name, policyVersion } },
    create: { runId, name, policyVersion, value, at },
    update: { value, at, superseded: false },
  })
}

/** By name and policy version. */
export async function listScores(db: Db, runId: string): Promise<ScoreRow[]> {
  return await db.client.score.findMany({
    where: { runId, superseded: false },
    orderBy: [{ name: 'asc' }, { policyVersion: 'asc' }],
    select: { name: true, policyVersion: true, value: true, at: true },
  })
}
