/**
 * Files of rollouts, one a line, to the rollouts of each source they hold.
 * Owns: what of a line is taken, and why a line is not. Gzip is unpacked. A line without a source belongs to one named after its file.
 * Invariant: a reward that is no finite number is null, never 0; a line that cannot be used is counted with its reason.
 */
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { CommandError } from '@/lib/cli/arguments'
import { jsonRows } from '@/lib/formats/containers/json-rows'
import { unpacked } from '@/lib/formats/containers/unpacked'
import type { ReplayRollout } from '@/lib/testbed/replay/ladder'

export interface ReplaySource {
  source: string
  rollouts: ReplayRollout[]
}

export interface ReadSources {
  sources: ReplaySource[]
  /** reason -> lines that were left out with it */
  odd: Record<string, number>
}

const ENDING = /\.(jsonl|ndjson)(\.gz)?$/i
const KNOWN = new Set(['source', 'environment', 'task', 'model', 'trial', 'reward', 'turns', 'tools', 'error'])
const LONGEST_FIELD = 80

/** The rollout files of a folder and the folders in it, or the one file; sorted by name. @throws CommandError where there is none. */
export async function rolloutFiles(place: string): Promise<string[]> {
  const found = await stat(place).catch(() => null)
  if (found === null)
    throw new CommandError(`${place} is not there: give a folder of rollout lines (.jsonl or .jsonl.gz).`)
  if (found.isFile()) return [place]
  const names = await readdir(place, { recursive: true })
  const files = names.filter((name) => ENDING.test(name)).sort()
  if (files.length === 0) throw new CommandError(`${place} holds no .jsonl or .jsonl.gz file.`)
  return files.map((name) => path.join(place, name))
}

const asKey = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : null

const asReward = (value: unknown): number | null =>
  typeof value === 'boolean' ? Number(value) : typeof value === 'number' && Number.isFinite(value) ? value : null

function fieldsOf(row: Record<string, unknown>): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const [name, value] of Object.entries(row)) {
    if (KNOWN.has(name)) continue
    const simple = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    if (simple && String(value).length <= LONGEST_FIELD) fields[name] = String(value)
  }
  return fields
}

/** The rollout of a line, or why it is none. */
export function rolloutOf(value: unknown): ReplayRollout | string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'it is not an object'
  const row = value as Record<string, unknown>
  const environment = asKey(row.environment)
  const task = asKey(row.task)
  const model = asKey(row.model)
  if (environment === null) return 'it names no environment'
  if (task === null) return 'it names no task'
  if (model === null) return 'it names no model'
  const { error, tools, trial, turns } = row
  return {
    environment,
    task,
    model,
    trial: typeof trial === 'number' || typeof trial === 'string' ? trial : null,
    reward: asReward(row.reward),
    failed: error !== undefined && error !== null && error !== '' && error !== false,
    turns: typeof turns === 'number' && Number.isFinite(turns) ? turns : null,
    tools: Array.isArray(tools) ? tools.filter((tool): tool is string => typeof tool === 'string') : [],
    fields: fieldsOf(row),
  }
}

/** Reads all files; sources in order of their names. */
export async function readSources(files: readonly string[]): Promise<ReadSources> {
  const sources = new Map<string, ReplayRollout[]>()
  const odd: Record<string, number> = {}
  for (const file of files) {
    const stem = path.basename(file).replace(ENDING, '')
    for await (const { value, problem } of jsonRows(unpacked(createReadStream(file)))) {
      const rollout = problem ?? rolloutOf(value)
      if (typeof rollout === 'string') {
        odd[rollout] = (odd[rollout] ?? 0) + 1
        continue
      }
      const name = asKey((value as Record<string, unknown>).source) ?? stem
      const known = sources.get(name)
      if (known === undefined) sources.set(name, [rollout])
      else known.push(rollout)
    }
  }
  const order = [...sources].sort(([a], [b]) => (a < b ? -1 : 1))
  return { sources: order.map(([source, rollouts]) => ({ source, rollouts })), odd }
}
