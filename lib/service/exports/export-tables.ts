/**
 * The tables of a run, row by row, each flat enough for CSV and Parquet: the same rows that the pages and the API show.
 * Must never know: formats of files. Invariant: every row of a table has the same columns, and none is left out.
 */
import { setImmediate as pause } from 'node:timers/promises'
import type { List, ListQuery } from '@/lib/contract/page'
import { rolloutFilterQuery } from '@/lib/contract/rollout-group'
import { listAlarms } from '@/lib/service/alarms'
import { listBatches } from '@/lib/service/read-batches'
import { readGraph } from '@/lib/service/read-graph'
import { readAudit } from '@/lib/service/read-lists'
import { readEnvironments } from '@/lib/service/read-run-pages'
import { listTasks } from '@/lib/service/read-tasks'
import type { Runtime } from '@/lib/service/runtime'
import { readOverrides } from '@/lib/service/steering'
import { listScores } from '@/lib/store/score'
import { exportPickRows } from './export-picks'
import { exportPredictions } from './export-predictions'
import { exportRollouts } from './export-rollouts'
import { graphEdges } from './graph-export'

const PAGE = 500

/** `few`: only the first rows are wanted, so little is read at once. */
type Rows = (runtime: Runtime, runId: string, few: boolean) => AsyncIterable<object>

const SAMPLE_BATCHES = 2

export const TABLES = {
  async *rollouts(runtime, runId) {
    const rows = await exportRollouts(runtime, runId, rolloutFilterQuery.parse({}), false)
    for await (const { task, ...row } of rows)
      yield { environment: task.environment.key, task: task.key, ...keyed(row) }
  },
  picks: (runtime, runId, few) => exportPickRows(runtime, runId, few ? SAMPLE_BATCHES : undefined),
  predictions: exportPredictions,
  async *batches(runtime, runId) {
    for await (const row of pages((query) => listBatches(runtime, runId, query))) yield keyed(row)
  },
  async *environments(runtime, runId) {
    for (const row of await readEnvironments(runtime, runId)) yield keyed(row)
  },
  async *tasks(runtime, runId) {
    for await (const row of pages((query) => listTasks(runtime, runId, { sort: 'key' }, query))) yield keyed(row)
  },
  async *scores(runtime, runId) {
    yield* await listScores(runtime.database.db, runId)
  },
  async *alarms(runtime, runId) {
    for (const row of await listAlarms(runtime, runId)) yield keyed(row)
  },
  async *graph(runtime, runId) {
    yield* graphEdges(await readGraph(runtime, runId, { level: 'tasks', hops: 2 }))
  },
  async *steering(runtime, runId) {
    for (const row of (await readOverrides(runtime, runId)).reverse())
      yield { ...keyed(row), laterBy: row.laterBy?.letter ?? null }
  },
  async *audit(runtime, runId) {
    for await (const row of pages((query) => readAudit(runtime, runId, query))) yield keyed(row)
  },
} satisfies Record<string, Rows>

export type TableName = keyof typeof TABLES

export function tableRows(runtime: Runtime, runId: string, name: TableName, few = false): AsyncIterable<object> {
  const rows: Rows = TABLES[name]
  return rows(runtime, runId, few)
}

async function* pages<T extends object>(read: (query: ListQuery) => Promise<List<T>>): AsyncGenerator<T> {
  let cursor: string | undefined
  while (true) {
    const page = await read({ limit: PAGE, cursor, format: 'json' })
    yield* page.items
    if (page.next === null) return
    cursor = page.next
    await pause()
  }
}

/** Environments and tasks by their keys, as people know them; every other object is one cell, since it may be null. */
function keyed(row: object): object {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]: [string, unknown]) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return [name, value]
      if (name === 'environment' && 'key' in value) return [name, value.key]
      if (name === 'task' && 'key' in value) return [name, value.key]
      return [name, JSON.stringify(value)]
    }),
  )
}
