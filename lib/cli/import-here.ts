/**
 * An import without a server: the same service, called in this process while it holds the data folder.
 * Must never run beside a live server: SQLite has one writer, and the lock says who.
 */
import type { ImportJob } from '@/lib/contract/import-job'
import { readImport, startImport } from '@/lib/service/import-files'
import { closeRuntime, openRuntime } from '@/lib/service/runtime'
import { readSettings } from '@/lib/service/settings'
import { readTaskSetDetail } from '@/lib/service/task-sets'
import type { Environment } from './arguments'
import type { NamedFile } from './import-files'
import type { ImportOutcome } from './import-report'
import { openLog } from './start-log'
import { databaseUrl, migrate } from './start-server'

const LOOK_EVERY_MS = 300

export async function importHere(
  data: string,
  files: NamedFile[],
  name: string,
  env: Environment,
  onProgress: (job: ImportJob) => void,
): Promise<ImportOutcome> {
  const environment = {
    ...env,
    NODE_ENV: 'production' as const,
    ENVSCHED_DATA: data,
    DATABASE_URL: databaseUrl(data, env),
  }
  const log = openLog(data, [])
  await migrate(environment, log)
  const settings = readSettings(environment)
  const runtime = await openRuntime(settings, false)
  try {
    const request = {
      name,
      disk: files,
      bytes: files.reduce((sum, file) => sum + file.bytes, 0),
    }
    const { job, done } = await startImport(runtime, request, { name: settings.author, scope: 'operate' }, Date.now)
    const timer = setInterval(() => {
      void readImport(runtime, job.id, Date.now()).then(onProgress)
    }, LOOK_EVERY_MS)
    const ended = await done.finally(() => clearInterval(timer))
    return { job: ended, taskSet: ended.taskSet === null ? null : await readTaskSetDetail(runtime, ended.taskSet) }
  } finally {
    await closeRuntime(runtime)
  }
}
