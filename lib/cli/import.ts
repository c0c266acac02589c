/**
 * `envsched import`: files to the live server of the data folder, over HTTP like the page does; without a live server the
 * same service in this process.
 * Owns: finding the server and its token, gathering files, the progress line and the report.
 * Must never know: formats; the service reads them.
 */
import type { ColumnMapping } from '@/lib/contract/column-mapping'
import type { ImportJob } from '@/lib/contract/import-job'
import { CommandError, type Environment, type ImportArguments } from './arguments'
import { gatherFiles, type NamedFile, sourceName } from './import-files'
import { columnsSentence, type ImportOutcome, importReport, progressLine } from './import-report'
import {
  type ImportServer,
  leftImport,
  requestImport,
  requestResume,
  requestStop,
  requestTaskSet,
  waitForImport,
} from './import-request'
import { lockHolder, takeLock } from './start-lock'
import { knownToken } from './start-token'

export const IMPORT_HELP = `npm run envsched -- import FILE... [flags]
Brings in the rollouts and task sets of trainers and benchmarks (README, Trainers and histories), rollout lines, and any table whose columns
you name: JSON, JSONL, CSV, Parquet, YAML, also in ZIP, gzip and zstd. Files of one source belong into one call; a folder
stands for all files in it. Ctrl C stops it; the same command goes on where it was.

  --name NAME        name of the task set or run (from the file's name)
  --map WORD=COLUMN  what a column is, once for each: --map reward=score; WORD==TEXT is the same for all rows:
                     --map environment==math. Words: environment, task, text, reward, policyVersion, model, status, error,
                     turns, tokens, seconds, tools, messages, group
  --data DIR         data folder to import into, by its server where one is live (data, or ENVSCHED_DATA)
  --url URL          another server; its token comes from ENVSCHED_TOKEN
`

/** What to import, whoever does it. */
export interface AskedImport {
  files: NamedFile[]
  name: string
  mapping: ColumnMapping | null
  onProgress: (job: ImportJob) => void
  /** calls `stop` when the person wants it to end */
  onStop: (stop: () => void) => void
}

export async function importFiles(args: ImportArguments, env: Environment): Promise<number> {
  const files = gatherFiles(args.files)
  const name = args.name ?? sourceName(args.files)
  const asked: AskedImport = { files, name, mapping: args.mapping, onProgress: shower(), onStop: onInterrupt }
  const server = serverOf(args, env)
  const outcome = server === null ? await alone(args, asked, env) : await throughServer(server, asked)
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
  const { job } = outcome
  if (job.table !== null) throw new CommandError(columnsSentence(job.table))
  if (job.state === 'cancelled')
    throw new CommandError('Stopped: what has come in stays, and the same command goes on where it was.')
  if (job.state !== 'done') throw new CommandError(job.error ?? `The import was ${job.state}.`)
  process.stdout.write(importReport(outcome, server?.address ?? null))
  return 0
}

/** The first Ctrl C stops the import in good order; a second one ends the command at once. */
function onInterrupt(stop: () => void): void {
  process.once('SIGINT', () => {
    process.stderr.write('\nStopping the import.\n')
    stop()
  })
}

async function throughServer(server: ImportServer, asked: AskedImport): Promise<ImportOutcome> {
  const left = await leftImport(server, asked)
  const job = left === null ? await requestImport(server, asked) : await requestResume(server, left.id, asked.mapping)
  asked.onStop(() => void requestStop(server, job.id))
  const ended = await waitForImport(server, job, asked.onProgress)
  return { job: ended, taskSet: ended.taskSet === null ? null : await requestTaskSet(server, ended.taskSet) }
}

/** Takes the data folder for as long as it lasts. The service is loaded here only: other ways do not need it. */
async function alone(args: ImportArguments, asked: AskedImport, env: Environment): Promise<ImportOutcome> {
  const { lock, holder } = takeLock(args.data, 'import')
  if (lock === null)
    throw new CommandError(`${args.data} is in use by another command (${holder.command}): wait for it.`)
  try {
    const { importHere } = await import('./import-here')
    return await importHere(args.data, asked, env)
  } finally {
    lock.release()
  }
}

/** Where the output is no terminal, a line now and then. */
const LINE_EVERY_MS = 10_000

function shower(): (job: ImportJob) => void {
  let told = Date.now()
  return (job) => {
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${progressLine(job)}`)
    else if (Date.now() - told >= LINE_EVERY_MS) {
      told = Date.now()
      process.stderr.write(`${progressLine(job)}\n`)
    }
  }
}

/** The live server to ask, or null where none is live on the data folder. */
function serverOf(args: ImportArguments, env: Environment): ImportServer | null {
  if (args.url !== null) {
    const url = URL.canParse(args.url) ? new URL(args.url) : null
    if (url === null)
      throw new CommandError(`--url must be an address such as http://127.0.0.1:4310, not "${args.url}".`)
    const token = url.searchParams.get('token') ?? env.ENVSCHED_TOKEN
    if (token === undefined || token === '') throw new CommandError('Set ENVSCHED_TOKEN to a token of that server.')
    return { address: url.origin, token }
  }
  const address = lockHolder(args.data)?.address ?? null
  if (address === null) return null
  const token = knownToken(args.data, env)
  if (token === null) throw new CommandError('Set ENVSCHED_TOKEN to the token that the server was started with.')
  return { address, token }
}
