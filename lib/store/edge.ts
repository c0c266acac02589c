/**
 * Stored edges of the dual-relation graph, by version of the graph.
 * Invariant: source < target ordinals are written once, not in both directions; weights lie in 0 to 1.
 */
import { setImmediate as pause } from 'node:timers/promises'
import { bulkInsert } from './bulk'
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

const READ_ROWS = 5000

const select = { graphVersion: true, kind: true, source: true, target: true, weight: true } as const
const edgeOf = (edge: Omit<EdgeRow, 'kind'> & { kind: string }): EdgeRow => ({ ...edge, kind: edge.kind as EdgeKind })

export async function insertEdges(tx: Tx, taskSetId: string, edges: Iterable<EdgeRow>): Promise<void> {
  await bulkInsert(tx, table, taskSetId, edges)
}

/** Edges of one version by source and target; read in slices, so that other work goes on between. */
export async function edgesOf(db: Db, taskSetId: string, graphVersion: number): Promise<EdgeRow[]> {
  const edges: EdgeRow[] = []
  let take = READ_ROWS
  for (let after = -1; ; await pause()) {
    const found = await db.client.edge.findMany({
      where: { taskSetId, graphVersion, source: { gt: after } },
      orderBy: [{ source: 'asc' }, { target: 'asc' }, { kind: 'asc' }],
      take,
      select,
    })
    const last = found.at(-1)?.source ?? null
    const isEnd = found.length < take || last === null
    // the edges of the last source may go on behind the cut: they are read again
    const whole = isEnd ? found : found.filter((edge) => edge.source < last)
    for (const edge of whole) edges.push(edgeOf(edge))
    if (isEnd) return edges
    if (whole.length > 0) after = last - 1
    else take *= 2
  }
}
