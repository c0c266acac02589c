/**
 * `envsched import`: files to the live server of the data folder, over HTTP like the page does; without a live server the
 * same service in this process.
 * Owns: finding the server and its token, gathering files, the progress line and the report.
 * Must never know: formats; the service reads them.
 */
import type { ImportJob } from '@/lib/contract/import-job'
import { CommandError, type Environment, type ImportArguments } from './arguments'
import { gatherFiles, type NamedFile, sourceName } from './import-files'
import { type ImportOutcome, importReport, progressLine } from './import-report'
import { type ImportServer, requestImport, requestTaskSet, waitForImport } from './import-request'
import { lockHolder, takeLock } from './start-lock'
import { knownToken } from './start-token'

export const IMPORT_HELP = `npm run envsched -- import FILE... [flags]
Brings in task sets (BFCL, tau2-bench, ACEBench) and rollouts (tau-bench results, rollout lines), also packed with gzip.
Files of one source belong into one call; a folder stands for all files in it.

  --name NAME   name of the task set or run (from the file's name)
  --data DIR    data folder to import into, by its server where one is live (data, or ENVSCHED_DATA)
  --url URL     another server; its token comes from ENVSCHED_TOKEN
`

export async function importFiles(args: ImportArguments, env: Environment): Promise<number> {
  const files = gatherFiles(args.files)
  const name = args.name ?? sourceName(args.files)
  const server = serverOf(args, env)
  const outcome = server === null ? await alone(args, files, name, env) : await throughServer(server, files, name)
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
  const { job } = outcome
  if (job.state !== 'done') throw new CommandError(job.error ?? `The import was ${job.state}.`)
  process.stdout.write(importReport(outcome, server?.address ?? null))
  return 0
}

async function throughServer(server: ImportServer, files: NamedFile[], name: string): Promise<ImportOutcome> {
  const job = await waitForImport(server, await requestImport(server, files, name), show)
  return { job, taskSet: job.taskSet === null ? null : await requestTaskSet(server, job.taskSet) }
}

/** Takes the data folder for as long as it lasts. The service is loaded here only: other ways do not need it. */
async function alone(
  args: ImportArguments,
  files: NamedFile[],
  name: string,
  env: Environment,
): Promise<ImportOutcome> {
  const { lock, holder } = takeLock(args.data, 'import')
  if (lock === null)
    throw new CommandError(`${args.data} is in use by another command (${holder.command}): wait for it.`)
  try {
    const { importHere } = await import('./import-here')
    return await importHere(args.data, files, name, env, show)
  } finally {
    lock.release()
  }
}

function show(job: ImportJob): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${progressLine(job)}`)
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
