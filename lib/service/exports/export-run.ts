/**
 * Files of a run: which there are, about how large, and each as a stream.
 * Owns: names, formats and media types. Must never know: HTTP. Invariant: a file is never whole in memory; of a text, what a reader
 * does not take is not read from the database.
 */
import { gzipSync } from 'node:zlib'
import { EXPORT_NAMES, EXPORTS, type ExportFile, type ExportList, type ExportName } from '@/lib/contract/export'
import { fileSafe } from '@/lib/contract/file-name'
import { rolloutFilterQuery } from '@/lib/contract/rollout-group'
import { requireRun } from '@/lib/service/open-run'
import { readGraph } from '@/lib/service/read-graph'
import { historyOf } from '@/lib/service/run-history'
import type { Runtime } from '@/lib/service/runtime'
import { ServiceError } from '@/lib/service/service-error'
import { readOverrides } from '@/lib/service/steering'
import { exportArchive } from './archive-export'
import { csvLines } from './csv'
import { exportPicks } from './export-picks'
import { exportRollouts } from './export-rollouts'
import { tableRows } from './export-tables'
import { graphEdges, graphToGexf } from './graph-export'
import { type MadeFile, makeFile } from './made-file'
import { writeParquet } from './parquet-file'
import { untilDeleted } from './until-deleted'

/** Rows that a guess of a file's size reads. */
const SAMPLE = 40
const SAMPLE_BATCHES = 2
const SAMPLE_EDGES = 1000
/** How old a guess may be. */
const FRESH_MS = 60_000

interface ExportHead {
  fileName: string
  type: string
}

export interface ExportText extends ExportHead {
  /** to be compressed on its way */
  gzip: boolean
  text: AsyncGenerator<string>
}

export type ExportStream = ExportText | (ExportHead & { made: MadeFile })

const TYPES: Record<string, string> = {
  'jsonl.gz': 'application/gzip',
  jsonl: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  gexf: 'application/gexf+xml; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
  zip: 'application/zip',
}

export async function exportRun(
  runtime: Runtime,
  runId: string,
  name: string,
  format: string | null,
  now: number,
): Promise<ExportStream> {
  const { run } = await requireRun(runtime, runId)
  const known = EXPORT_NAMES.find((one) => one === name)
  if (known === undefined)
    throw new ServiceError(404, 'not_found', `There is no export "${name}": there are ${EXPORT_NAMES.join(', ')}.`)
  const formats: readonly string[] = EXPORTS[known]
  const wanted = format ?? formats[0] ?? ''
  if (!formats.includes(wanted))
    throw new ServiceError(422, 'invalid', `"${name}" is exported as ${formats.join(' or ')}, not as "${wanted}".`)
  const head = {
    fileName: `${fileSafe(run.name)}-${known}.${wanted}`,
    type: TYPES[wanted] ?? 'application/octet-stream',
  }
  const { dataDir } = runtime.settings
  if (known === 'archive')
    return { ...head, made: await makeFile(dataDir, (file) => exportArchive(runtime, runId, file, now)) }
  if (wanted === 'parquet') {
    const rows = () => untilDeleted(runtime, runId, tableRows(runtime, runId, known))
    return { ...head, made: await makeFile(dataDir, (file) => writeParquet(file, rows)) }
  }
  const text = untilDeleted(runtime, runId, textOf(runtime, runId, known, wanted))
  return { ...head, gzip: wanted.endsWith('.gz'), text }
}

async function* jsonLines(rows: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const row of rows) yield `${JSON.stringify(row)}\n`
}

async function* each<T>(rows: Iterable<T>): AsyncGenerator<T> {
  yield* rows
}

/** `few`: only the first rows are wanted, so little is read at once. */
function textOf(
  runtime: Runtime,
  runId: string,
  name: Exclude<ExportName, 'archive'>,
  format: string,
  few = false,
): AsyncGenerator<string> {
  if (format === 'csv') return csvLines(tableRows(runtime, runId, name, few))
  switch (name) {
    case 'rollouts':
      return rolloutText(runtime, runId)
    case 'picks':
      return jsonLines(exportPicks(runtime, runId, few ? SAMPLE_BATCHES : undefined))
    case 'graph':
      return graphText(runtime, runId)
    case 'steering':
      return steeringText(runtime, runId)
    default:
      return jsonLines(tableRows(runtime, runId, name, few))
  }
}

async function* rolloutText(runtime: Runtime, runId: string): AsyncGenerator<string> {
  yield* jsonLines(await exportRollouts(runtime, runId, rolloutFilterQuery.parse({}), true))
}

async function* graphText(runtime: Runtime, runId: string): AsyncGenerator<string> {
  yield graphToGexf(await readGraph(runtime, runId, { level: 'tasks', hops: 2 }))
}

async function* steeringText(runtime: Runtime, runId: string): AsyncGenerator<string> {
  yield* jsonLines(each((await readOverrides(runtime, runId)).reverse()))
}

const guesses = new WeakMap<Runtime['database'], Map<string, { at: number; list: Promise<ExportList> }>>()

/** Sizes are guesses: the mean of the first rows, times their number. Kept for a minute. */
export async function readExports(runtime: Runtime, runId: string, now: number): Promise<ExportList> {
  await requireRun(runtime, runId)
  const kept = guesses.get(runtime.database) ?? new Map<string, { at: number; list: Promise<ExportList> }>()
  guesses.set(runtime.database, kept)
  const known = kept.get(runId)
  if (known !== undefined && now - known.at < FRESH_MS) return known.list
  const list = guess(runtime, runId)
  kept.set(runId, { at: now, list })
  list.catch(() => kept.delete(runId))
  return list
}

/** How many rows each file has; null where that is known only when they are read. */
async function rowsOf(runtime: Runtime, runId: string): Promise<Record<ExportName, number | null>> {
  const { run, catalog } = await requireRun(runtime, runId)
  const history = await historyOf(runtime, run)
  const groups = [...history.groups.values()]
  return {
    archive: null,
    rollouts: run.rolloutCount,
    picks: run.leaseCount,
    predictions: groups.filter((group) => group.predictedVariance !== null).length,
    batches: run.batchCount,
    environments: catalog.environments.length,
    tasks: catalog.tasks.length,
    scores: null,
    alarms: null,
    graph: catalog.edges.length,
    steering: run.overrideCount,
    audit: null,
  }
}

/** Of texts alone: a Parquet file or an archive is known when it is written. */
async function guess(runtime: Runtime, runId: string): Promise<ExportList> {
  const { catalog } = await requireRun(runtime, runId)
  const rows = await rowsOf(runtime, runId)
  const items: ExportFile[] = []
  for (const name of EXPORT_NAMES)
    for (const format of EXPORTS[name]) {
      const count = name === 'graph' && format === 'gexf' ? catalog.edges.length + catalog.tasks.length : rows[name]
      items.push({ name, format, rows: count, bytes: await bytesOf(runtime, runId, name, format, rows[name]) })
    }
  return { items }
}

async function bytesOf(
  runtime: Runtime,
  runId: string,
  name: ExportName,
  format: string,
  rows: number | null,
): Promise<number | null> {
  if (name === 'archive' || format === 'parquet' || rows === null) return null
  if (name === 'graph') return graphBytes(runtime, runId, format)
  return sampled(textOf(runtime, runId, name, format, true), format, rows)
}

/** Bytes of a file of that many rows, as its first ones have it; compressed where the file is. */
async function sampled(text: AsyncGenerator<string>, format: string, rows: number): Promise<number> {
  const lines: string[] = []
  for await (const line of text) {
    lines.push(line)
    if (lines.length > SAMPLE) break
  }
  const head = format === 'csv' ? Buffer.byteLength(lines.shift() ?? '') : 0
  if (lines.length === 0) return head
  const whole = Buffer.from(lines.join(''))
  return head + ((format.endsWith('.gz') ? gzipSync(whole).length : whole.length) / lines.length) * rows
}

/** Its nodes are written, and of the edges only the first ones. */
async function graphBytes(runtime: Runtime, runId: string, format: string): Promise<number> {
  const graph = await readGraph(runtime, runId, { level: 'tasks', hops: 2 })
  const size = (edges: number) => {
    const some = { ...graph, edges: { ...graph.edges, source: graph.edges.source.slice(0, edges) } }
    if (format === 'csv')
      return Buffer.byteLength(
        graphEdges(some)
          .map((row) => Object.values(row).join(','))
          .join('\r\n'),
      )
    return Buffer.byteLength(graphToGexf(some))
  }
  const edges = graph.edges.source.length
  const few = Math.min(edges, SAMPLE_EDGES)
  const bare = size(0)
  return few === 0 ? bare : bare + ((size(few) - bare) / few) * edges
}
