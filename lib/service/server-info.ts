/**
 * What the strip of the server's pages says: address, database, disk, runs, who is signed in.
 */
import type { Principal, ServerInfo } from '@/lib/contract/access'
import { databaseBytes } from '@/lib/store/disk'
import { listRuns } from '@/lib/store/run'
import { version } from '@/package.json'
import { statusOf } from './run-summary'
import type { Runtime } from './runtime'

const ALL = 10_000

export async function readServerInfo(runtime: Runtime, who: Principal, now: number): Promise<ServerInfo> {
  const { items, total } = await listRuns(runtime.database.db, { limit: ALL })
  const statuses = items.map((run) => statusOf(run, now).status)
  const reports = items.flatMap((run) => run.lastReportAt ?? [])
  return {
    version,
    address: `${runtime.settings.host}:${runtime.settings.port}`,
    database: runtime.database.provider,
    signedInAs: who.name,
    scope: who.scope,
    diskBytes: await databaseBytes(runtime.database.db),
    runs: {
      live: statuses.filter((status) => status === 'live' || status === 'waiting').length,
      silent: statuses.filter((status) => status === 'silent').length,
      all: total,
    },
    lastReportAt: reports.length === 0 ? null : new Date(Math.max(...reports)).toISOString(),
  }
}
