/**
 * `envsched import`: files to the live server of the data folder, over HTTP like the page does.
 * Owns: finding the server and its token, gathering files, the progress line and the report.
 * Must never know: formats; the server reads them.
 */
import type { ImportJob } from '@/lib/contract/import-job'
import { CommandError, type Environment, type ImportArguments } from './arguments'
import { gatherFiles } from './import-files'
import { importReport, progressLine } from './import-report'
import { type ImportServer, requestImport, waitForImport } from './import-request'
import { lockHolder } from './start-lock'
import { knownToken } from './start-token'

export const IMPORT_HELP = `npm run envsched -- import FILE... [flags]
Brings in task sets (BFCL, tau2-bench, ACEBench) and rollouts (tau-bench results, rollout lines), also packed with gzip.
Files of one source belong into one call; a folder stands for all files in it.

  --name NAME   name of the task set or run (from the file's name)
  --data DIR    data folder whose server is asked (data, or ENVSCHED_DATA)
  --url URL     another server; its token comes from ENVSCHED_TOKEN
`

export async function importFiles(args: ImportArguments, env: Environment): Promise<number> {
  const files = gatherFiles(args.files)
  const server = serverOf(args, env)
  const job = await waitForImport(server, await requestImport(server, files, args.name), show)
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
  if (job.state !== 'done') throw new CommandError(job.error ?? `The import was ${job.state}.`)
  process.stdout.write(importReport(job, server.address))
  return 0
}

function show(job: ImportJob): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${progressLine(job)}`)
}

function serverOf(args: ImportArguments, env: Environment): ImportServer {
  if (args.url !== null) {
    const url = new URL(args.url)
    const token = url.searchParams.get('token') ?? env.ENVSCHED_TOKEN
    if (token === undefined || token === '') throw new CommandError('Set ENVSCHED_TOKEN to a token of that server.')
    return { address: url.origin, token }
  }
  const address = lockHolder(args.data)?.address ?? null
  if (address === null) {
    throw new CommandError(
      `No server is live on ${args.data}: start one with "npm run envsched -- start", then import again.`,
    )
  }
  const token = knownToken(args.data, env)
  if (token === null) throw new CommandError('Set ENVSCHED_TOKEN to the token that the server was started with.')
  return { address, token }
}
