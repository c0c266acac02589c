/**
 * Flags of the commands: what each takes, and one sentence for each way to get them wrong.
 * Owns: parsing. Must never know: what a command does. Relative paths are meant from where the person stands, which npm
 * tells in INIT_CWD.
 */
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type ColumnMapping, columnMapping, MAPPED } from '@/lib/contract/column-mapping'

/** Environment variables. */
export type Environment = Record<string, string | undefined>

/** A wrong flag or argument; the message is one sentence for people. Exit code 2. */
export class UsageError extends Error {}

/** What went wrong, in one sentence for people. Exit code 1. */
export class CommandError extends Error {}

export interface ServeArguments {
  /** null: 4310, or the next free one */
  port: number | null
  host: string
  data: string
  open: boolean
  /** demo: batches that the trainer trains on, null = as many as it likes */
  steps: number | null
  help: boolean
}

export interface ImportArguments {
  files: string[]
  name: string | null
  data: string
  url: string | null
  /** what the columns are; null where nobody said so */
  mapping: ColumnMapping | null
  help: boolean
}

export const DEFAULT_PORT = 4310
export const DEFAULT_HOST = '127.0.0.1'

const common = {
  data: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const
const serve = {
  ...common,
  port: { type: 'string' },
  host: { type: 'string' },
  'no-open': { type: 'boolean', default: false },
} as const

export function serveArguments(args: string[], env: Environment, withTrainer: boolean): ServeArguments {
  const options = withTrainer ? { ...serve, steps: { type: 'string' } as const } : serve
  const values = parsed(() => parseArgs({ args, options, allowPositionals: false }).values)
  const steps = 'steps' in values ? values.steps : undefined
  return {
    port: values.port === undefined ? null : whole(values.port, '--port', 1, 65_535),
    host: values.host ?? DEFAULT_HOST,
    data: dataFolder(values.data, env),
    open: values['no-open'] !== true,
    steps: typeof steps === 'string' ? whole(steps, '--steps', 1, 1_000_000) : null,
    help: values.help === true,
  }
}

export function importArguments(args: string[], env: Environment): ImportArguments {
  const options = {
    ...common,
    name: { type: 'string' },
    url: { type: 'string' },
    map: { type: 'string', multiple: true },
  } as const
  const { values, positionals } = parsed(() => parseArgs({ args, options, allowPositionals: true }))
  const help = values.help === true
  if (!help && positionals.length === 0) throw new UsageError('Name at least one file or folder to import.')
  return {
    files: positionals.map((file) => path.resolve(whereToStand(env), file)),
    name: values.name ?? null,
    data: dataFolder(values.data, env),
    url: values.url ?? null,
    mapping: values.map === undefined ? null : mappingOf(values.map),
    help,
  }
}

/** "reward=score" and "environment==math": a word of ours, and a column or, after a second sign, a constant. */
function mappingOf(given: readonly string[]): ColumnMapping {
  const words = MAPPED.join(', ')
  const pairs = given.map((text) => {
    const [word = '', ...rest] = text.split('=')
    const from = rest.join('=')
    if (from === '' || from === '=') throw new UsageError(`--map wants WORD=COLUMN or WORD==CONSTANT, not "${text}".`)
    if (!MAPPED.some((known) => known === word)) throw new UsageError(`--map knows ${words}, not "${word}".`)
    return [word, from]
  })
  const read = columnMapping.safeParse(Object.fromEntries(pairs))
  if (!read.success) throw new UsageError('A column that --map names is longer than 500 characters.')
  return read.data
}

function dataFolder(given: string | undefined, env: Environment): string {
  if (given !== undefined) return path.resolve(whereToStand(env), given)
  const fromEnv = env.ENVSCHED_DATA
  return path.resolve(fromEnv === undefined || fromEnv === '' ? 'data' : fromEnv)
}

function whereToStand(env: Environment): string {
  return env.INIT_CWD ?? process.cwd()
}

function whole(text: string, flag: string, low: number, high: number): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isInteger(value) || value < low || value > high) {
    throw new UsageError(`${flag} must be a whole number from ${low} to ${high}, not "${text}".`)
  }
  return value
}

/** parseArgs explains itself in several sentences; the first one says what is wrong. */
function parsed<T>(parse: () => T): T {
  try {
    return parse()
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    const dashed = /^Option '([^']+)' argument is ambiguous/.exec(message)?.[1]
    if (dashed !== undefined)
      throw new UsageError(`${dashed} needs a value that does not begin with a dash; --help shows what there is.`)
    throw new UsageError(`${message.split(/\.\s/)[0]?.replace(/\.$/, '')}; --help shows what there is.`)
  }
}
