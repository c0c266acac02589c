/**
 * Who did what and when. Invariant: only appended; an event outlives the run that it is about (then without it).
 */
import type { Db, Tx } from './database'
import { type Page, type PageQuery, pageOf } from './page'
import { cleanText } from './table'

export interface AuditRow {
  id: number
  runId: string | null
  at: number
  actor: string
  action: string
  detail: string
}

/** The action of the event that an archive's import leaves. */
export const RUN_IMPORTED = 'run.import'
/** The action of the event that a deleted run leaves; its detail holds the run's id. */
export const RUN_DELETED = 'run.delete'

export async function appendAudit(tx: Tx, event: Omit<AuditRow, 'id'>): Promise<void> {
  await tx.client.auditEvent.create({
    data: { ...event, actor: cleanText(event.actor), detail: cleanText(event.detail) },
  })
}

/** Newest first, of one run when given. The cursor is the id of the last event of the page before. */
export async function listAudit(db: Db, query: PageQuery, runId?: string): Promise<Page<AuditRow>> {
  const items = await db.client.auditEvent.findMany({
    where: { runId, id: { lt: query.cursor ?? undefined } },
    orderBy: { id: 'desc' },
    take: query.limit + 1,
  })
  return pageOf(items, query.limit, await db.client.auditEvent.count({ where: { runId } }), (last) => last.id)
}

/** When these runs came in as archives; those that did not are left out. */
export async function importedAt(db: Db, runs: readonly string[]): Promise<Map<string, number>> {
  const events = await db.client.auditEvent.findMany({
    where: { runId: { in: [...runs] }, action: RUN_IMPORTED },
    orderBy: { id: 'asc' },
  })
  return new Map(events.flatMap(({ runId, at }) => (runId === null ? [] : [[runId, at] as const])))
}

/** The event that tells of a deleted run, found by the id in its detail; null when the run never was. */
export async function findDeletion(db: Db, runId: string): Promise<AuditRow | null> {
  return await db.client.auditEvent.findFirst({
    where: { runId: null, action: RUN_DELETED, detail: { contains: JSON.stringify(runId) } },
    orderBy: { id: 'desc' },
  })
}
