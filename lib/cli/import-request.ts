/** An import over HTTP: files up as one form, then asking how far it is until it has ended. */
import { openAsBlob } from 'node:fs'
import type { ColumnMapping } from '@/lib/contract/column-mapping'
import { type ImportJob, importJob } from '@/lib/contract/import-job'
import { errorBody, listOf } from '@/lib/contract/page'
import { type TaskSetSummary, taskSetSummary } from '@/lib/contract/task-set'
import { CommandError } from './arguments'
import type { NamedFile } from './import-files'

export interface ImportServer {
  address: string
  token: string
}

const ASK_EVERY_MS = 300
const importList = listOf(importJob)

export async function requestImport(
  server: ImportServer,
  { files, name, mapping }: { files: NamedFile[]; name: string; mapping: ColumnMapping | null },
): Promise<ImportJob> {
  const form = new FormData()
  form.append('name', name)
  if (mapping !== null) form.append('mapping', JSON.stringify(mapping))
  for (const file of files) form.append('file', await openAsBlob(file.path), file.name)
  return importJob.parse(await call(server, 'POST', '/imports', form))
}

/** An import of these very files that was stopped, or waits for columns that are known now; null where there is none. */
export async function leftImport(
  server: ImportServer,
  asked: { files: NamedFile[]; name: string; mapping: ColumnMapping | null },
): Promise<ImportJob | null> {
  const { items } = importList.parse(await call(server, 'GET', '/imports?limit=100'))
  return items.find((job) => isLeft(job, asked)) ?? null
}

/** Names and lengths tell files well enough: what is resumed keeps its ids. */
export function isLeft(
  job: ImportJob,
  { files, name, mapping }: { files: NamedFile[]; name: string; mapping: ColumnMapping | null },
): boolean {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  return job.name === name && job.bytes === bytes && (job.resumable || (job.state === 'mapping' && mapping !== null))
}

export async function requestResume(
  server: ImportServer,
  id: string,
  mapping: ColumnMapping | null,
): Promise<ImportJob> {
  const body = JSON.stringify(mapping === null ? {} : { mapping })
  return importJob.parse(await call(server, 'POST', `/imports/${encodeURIComponent(id)}/resume`, body))
}

/** What came in stays. */
export async function requestStop(server: ImportServer, id: string): Promise<void> {
  await call(server, 'DELETE', `/imports/${encodeURIComponent(id)}`).catch(() => undefined)
}

/** Resolves when the job is done, failed, cancelled, or waits for its columns. */
export async function waitForImport(
  server: ImportServer,
  first: ImportJob,
  onProgress: (job: ImportJob) => void,
): Promise<ImportJob> {
  let job = first
  while (job.state === 'reading' || job.state === 'replaying') {
    onProgress(job)
    await new Promise((done) => setTimeout(done, ASK_EVERY_MS))
    job = importJob.parse(await call(server, 'GET', `/imports/${encodeURIComponent(job.id)}`))
  }
  return job
}

export async function requestTaskSet(server: ImportServer, id: string): Promise<TaskSetSummary> {
  return taskSetSummary.parse(await call(server, 'GET', `/task-sets/${encodeURIComponent(id)}`))
}

async function call(server: ImportServer, method: string, path: string, body?: FormData | string): Promise<unknown> {
  let response: Response
  try {
    response = await fetch(`${server.address}/api/v1${path}`, {
      method,
      body,
      headers: {
        authorization: `Bearer ${server.token}`,
        ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
      },
    })
  } catch {
    throw new CommandError(`The server at ${server.address} cannot be reached.`)
  }
  const answer: unknown = await response.json().catch(() => null)
  if (response.ok) return answer
  const refusal = errorBody.safeParse(answer)
  throw new CommandError(refusal.success ? refusal.data.error.message : `The server answered ${response.status}.`)
}
