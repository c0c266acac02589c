/**
 * Import jobs: how far each is and what it made. Invariant: `done` never exceeds a known `total`; the report is JSON.
 */
import type { Db, Tx } from './database'
import { newId } from './id'
import { offsetPage, type Page, type PageQuery } from './page'
import { fromRecord, toRecord } from './table'

export interface ImportJobRow<Report = unknown> {
  id: string
  name: string
  state: string
  format: string | null
  done: number
  total: number | null
  unit: string
  startedAt: number
  updatedAt: number
  report: Report
  taskSetId: string | null
  runId: string | null
  error: string | null
}

const columns = {
  id: 'text',
  name: 'text',
  state: 'text',
  format: 'text',
  done: 'float',
  total: 'float',
  unit: 'text',
  startedAt: 'float',
  updatedAt: 'float',
  report: 'json',
  taskSetId: 'text',
  runId: 'text',
  error: 'text',
} as const

export async function createImportJob<Report>(
  tx: Tx,
  job: Omit<ImportJobRow<Report>, 'id'>,
): Promise<ImportJobRow<Report>> {
  const id = newId()
  await tx.client.importJob.create({ data: { ...job, id, report: JSON.stringify(job.report) } })
  return { ...job, id }
}

/** Answers false when there is no such job. */
export async function updateImportJob<Report>(
  tx: Tx,
  id: string,
  patch: Partial<Omit<ImportJobRow<Report>, 'id' | 'startedAt'>>,
): Promise<boolean> {
  const { count } = await tx.client.importJob.updateMany({ where: { id }, data: toRecord(columns, patch) })
  return count === 1
}

export async function findImportJob<Report>(db: Db, id: string): Promise<ImportJobRow<Report> | null> {
  const found = await db.client.importJob.findUnique({ where: { id } })
  return found === null ? null : fromRecord<ImportJobRow<Report>>({ columns }, found)
}

/** Newest first; the cursor is an offset. */
export async function listImportJobs<Report>(db: Db, query: PageQuery): Promise<Page<ImportJobRow<Report>>> {
  const found = await db.client.importJob.findMany({
    orderBy: [{ startedAt: 'desc' }, { id: 'desc' }],
    skip: query.cursor ?? 0,
    take: query.limit + 1,
  })
  const rows = found.map((record) => fromRecord<ImportJobRow<Report>>({ columns }, record))
  return offsetPage(rows, query, await db.client.importJob.count())
}
