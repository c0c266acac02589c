/**
 * Stored edges of the dual-relation graph, by version of the graph.
 * Invariant: source < target ordinals are written once, not in both directions; weights lie in 0 to 1.
 */
import { bulkInsert, inSlices } from './bulk'
import type { Db, Tx } from './database'
import type { Table } from './table'

export type EdgeKind = 'within' | 'cross'

export interface EdgeRow {
  graphVersion: number
  kind: EdgeKind
  source: number
  target: number
  weight: number
}

const table: Table<EdgeRow> = {
  name: 'Edge',
  owner: 'taskSetId',
  key: ['graphVersion', 'source', 'target', 'kind'],
  columns: { graphVersion: 'int', kind: 'text', source: 'int', target: 'int', weight: 'float' },
}

const select = { graphVersion: true, kind: true, source: true, target: true, weight: true } as const
const edgeOf = (edge: Omit<EdgeRow, 'kind'> & { kind: string }): EdgeRow => ({ ...edge, kind: edge.kind as EdgeKind })

export async function insertEdges(tx: Tx, taskSetId: string, edges: readonly EdgeRow[]): Promise<void> {
  await bulkInsert(tx, table, taskSetId, edges)
}

/** Edges of one version by source and target; of the kinds and at or above the weight when given. */
export async function edgesOf(
  db: Db,
  taskSetId: string,
  graphVersion: number,
  filter: { kinds?: EdgeKind[]; minWeight?: number } = {},
): Promise<EdgeRow[]> {
  const found = await db.client.edge.findMany({
    where: {
      taskSetId,
      graphVersion,
      kind: filter.kinds === undefined ? undefined : { in: filter.kinds },
      weight: { gte: filter.minWeight },
    },
    orderBy: [{ source: 'asc' }, { target: 'asc' }, { kind: 'asc' }],
    select,
  })
  return found.map(edgeOf)
}

/** Edges of one task, strongest first. */
export async function neighboursOf(db: Db, taskSetId: string, graphVersion: number, task: number): Promise<EdgeRow[]> {
  const found = await db.client.edge.findMany({
    where: { taskSetId, graphVersion, OR: [{ source: task }, { target: task }] },
    orderBy: [{ weight: 'desc' }, { source: 'asc' }, { target: 'asc' }],
    select,
  })
  return found.map(edgeOf)
}

/** Edges whose two ends are both among the tasks, in no order. */
export async function edgesAmong(
  db: Db,
  taskSetId: string,
  graphVersion: number,
  tasks: readonly number[],
): Promise<EdgeRow[]> {
  const wanted = new Set(tasks)
  const found = await inSlices(tasks, (slice) =>
    db.client.edge.findMany({ where: { taskSetId, graphVersion, source: { in: slice } }, select }),
  )
  return found.filter((edge) => wanted.has(edge.target)).map(edgeOf)
}

/** Drops the edges of older versions of the graph. */
export async function dropEdgesBefore(tx: Tx, taskSetId: string, graphVersion: number): Promise<void> {
  await tx.client.edge.deleteMany({ where: { taskSetId, graphVersion: { lt: graphVersion } } })
}
