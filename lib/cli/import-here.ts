/**
 * An import without a server: the same service, called in this process while it holds the data folder.
 * Must never run beside a live server: SQLite has one writer, and the lock says who.
 */
import type { Principal } from '@/lib/contract/access'
import {
  cancelImport,
  failLeftImports,
  readImport,
  readImports,
  resumeImport,
  startImport,
} from '@/lib/service/imports/import-files'
import { closeRuntime, openRuntime, type Runtime } from '@/lib/service/runtime'
import { readSettings } from '@/lib/service/settings'
import { readTaskSetDetail } from '@/lib/service/task-sets'
import type { Environment } from './arguments'
import type { AskedImport } from './import'
import type { ImportOutcome } from './import-report'
import { isLeft } from './import-request'
import { openLog } from './start-log'
import { databaseUrl, migrate } from './start-server'

const LOOK_EVERY_MS = 300

export async function importHere(data: string, asked: AskedImport, env: Environment): Promise<ImportOutcome> {
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
    const { job, done } = await begin(runtime, asked, { name: settings.author, scope: 'operate' })
    asked.onStop(() => void cancelImport(runtime, job.id, Date.now()))
    const timer = setInterval(() => {
      void readImport(runtime, job.id, Date.now()).then(asked.onProgress)
    }, LOOK_EVERY_MS)
    const ended = await done.finally(() => clearInterval(timer))
    return { job: ended, taskSet: ended.taskSet === null ? null : await readTaskSetDetail(runtime, ended.taskSet) }
  } finally {
    await closeRuntime(runtime)
  }
}

/** Goes on with an import of these very files that was stopped, else starts one. */
async function begin(runtime: Runtime, asked: AskedImport, who: Principal) {
  const { name, files, mapping } = asked
  await failLeftImports(runtime, Date.now())
  const { items } = await readImports(runtime, { limit: 100 }, Date.now())
  const left = items.find((job) => isLeft(job, asked))
  if (left !== undefined) return resumeImport(runtime, left.id, mapping === null ? {} : { mapping }, who, Date.now)
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  return startImport(runtime, { name, disk: files, bytes, mapping }, who, Date.now)
}
