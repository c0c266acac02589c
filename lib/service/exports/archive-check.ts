/**
 * Whether a row of an archive can stand in its table: a damaged or foreign one would fail every page that reads it, and lists of all
 * runs with it. Must never know: files, the database. Invariant: a row that an export wrote is never refused.
 */
import type { ArchiveManifest } from '@/lib/contract/archive'
import { RUN_STATUSES } from '@/lib/contract/run'
import type { Catalog } from '@/lib/service/catalog'
import { engineConfig, parseStoredConfig } from '@/lib/service/run-config'
import type { ArchiveTableName, RawRow } from '@/lib/store/archive'

/** Columns whose text is JSON. */
const JSON_COLUMNS: Partial<Record<ArchiveTableName, readonly string[]>> = {
  Environment: ['definition'],
  Task: ['tools', 'state', 'checks', 'payload'],
  LogEntry: ['payload'],
  Batch: ['record'],
  BatchPick: ['record'],
  Group: ['statuses', 'shares', 'told'],
  Rollout: ['tools', 'components'],
  Trajectory: ['messages'],
  Override: ['change'],
  AuditEvent: ['detail'],
}
/** Columns that are positions of a task or an environment. */
const TASK_COLUMNS = ['task', 'source', 'target']
const ENVIRONMENT_COLUMNS = ['environment']

export interface Places {
  tasks: number
  environments: number
}

/** Why the row cannot stand there, or null. */
export function rowFault(name: ArchiveTableName, row: RawRow, { tasks, environments }: Places): string | null {
  for (const column of JSON_COLUMNS[name] ?? []) if (!isJson(row[column])) return `its "${column}" is no JSON`
  for (const column of TASK_COLUMNS) if (!isPlace(row[column], tasks)) return `its "${column}" is no task`
  for (const column of ENVIRONMENT_COLUMNS)
    if (!isPlace(row[column], environments)) return `its "${column}" is no environment`
  return null
}

/** Missing and null stand for nothing; whether they may is the table's to say. */
function isJson(text: unknown): boolean {
  if (text === null || text === undefined) return true
  if (typeof text !== 'string') return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function isPlace(value: unknown, places: number): boolean {
  return typeof value !== 'number' || (Number.isInteger(value) && value >= 0 && value < places)
}

const MODES = ['choose', 'shadow']
/** Counters of a run, each with the table whose rows it numbers. */
const COUNTERS = [
  ['batchCount', 'Batch'],
  ['leaseCount', 'Lease'],
  ['groupCount', 'Group'],
  ['overrideCount', 'Override'],
  ['rolloutCount', 'Rollout'],
] as const

/** The same of the run's own row; the log has no gaps, so its number is that of its rows. */
export function runFault(run: RawRow, manifest: ArchiveManifest, catalog: Catalog): string | null {
  if (typeof run.id !== 'string' || !/^[a-z0-9]{1,40}$/.test(run.id)) return 'its id is none of EnvSched'
  if (typeof run.name !== 'string' || run.name.trim() === '') return 'it has no name'
  if (!MODES.includes(String(run.mode))) return `its mode is "${String(run.mode)}"`
  if (!RUN_STATUSES.some((status) => status === run.status)) return `its status is "${String(run.status)}"`
  for (const column of ['config', 'reportGaps', 'keep']) if (!isJson(run[column])) return `its "${column}" is no JSON`
  for (const [counter, table] of COUNTERS) {
    const count = run[counter]
    if (typeof count !== 'number' || count < (manifest.tables[table] ?? 0)) return `its "${counter}" is too small`
  }
  if (run.logSeq !== (manifest.tables.LogEntry ?? 0)) return 'its log is not of the length that it tells'
  try {
    engineConfig(catalog, parseStoredConfig(JSON.parse(String(run.config))))
  } catch {
    return 'its configuration cannot be used'
  }
  return null
}
