/**
 * The run's lock: who holds it is alone in writing the run until the transaction ends.
 * PostgreSQL locks the run's row; on SQLite transactions already run one after the other in one writer process.
 */
import type { Tx } from './database'
import { findRun, type RunRow } from './run'

/** Takes the lock and answers the run as it is now, or null when there is none. */
export async function lockRun<Config>(tx: Tx, runId: string): Promise<RunRow<Config> | null> {
  if (tx.provider === 'postgresql') await tx.client.$queryRaw`select "id" from "Run" where "id" = ${runId} for update`
  return await findRun<Config>(tx, runId)
}
