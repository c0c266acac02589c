/** An import over HTTP: files up as one form, then asking how far it is until it has ended. */
import { openAsBlob } from 'node:fs'
import { type ImportJob, importJob } from '@/lib/contract/import-job'
import { errorBody } from '@/lib/contract/page'
import { type TaskSetSummary, taskSetSummary } from '@/lib/contract/task-set'
import { CommandError } from './arguments'
import type { NamedFile } from './import-files'

export interface ImportServer {
  address: string
  token: string
}

const ASK_EVERY_MS = 300

export async function requestImport(server: ImportServer, files: NamedFile[], name: string): Promise<ImportJob> {
  const form = new FormData()
  form.append('name', name)
  for (const file of files) form.append('file', await openAsBlob(file.path), file.name)
  return importJob.parse(await call(server, 'POST', '/imports', form))
}

/** Resolves when the job is done, failed or cancelled. */
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

async function call(server: ImportServer, method: string, path: string, body?: FormData): Promise<unknown> {
  let response: Response
  try {
    response = await fetch(`${server.address}/api/v1${path}`, {
      method,
      body,
      headers: { authorization: `Bearer ${server.token}` },
    })
  } catch {
    throw new CommandError(`The server at ${server.address} cannot be reached.`)
  }
  const answer: unknown = await response.json().catch(() => null)
  if (response.ok) return answer
  const refusal = errorBody.safeParse(answer)
  throw new CommandError(refusal.success ? refusal.data.error.message : `The server answered ${response.status}.`)
}
