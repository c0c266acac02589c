/**
 * The server's settings from its environment: where data lies, which database, which address.
 * Owns: names and defaults of the variables (README, Configuration). Must never know: requests.
 */
import path from 'node:path'

export interface Settings {
  dataDir: string
  databaseUrl: string
  host: string
  port: number
  /** start-up token given by the command line, or null: then only stored tokens work */
  startToken: string | null
  /** whose name stands beside what is done with the start-up token */
  author: string
  /** entries between two snapshots of a run's state */
  snapshotEvery: number
}

export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const dataDir = path.resolve(/* turbopackIgnore: true */ env.ENVSCHED_DATA ?? 'data')
  return {
    dataDir,
    databaseUrl: env.DATABASE_URL ?? `file:${path.join(dataDir, 'envsched.db')}`,
    host: env.HOST ?? '127.0.0.1',
    port: Number(env.PORT ?? 4310),
    startToken: env.ENVSCHED_TOKEN ?? null,
    author: env.ENVSCHED_AUTHOR ?? env.USER ?? 'operator',
    snapshotEvery: Number(env.ENVSCHED_SNAPSHOT_EVERY ?? 1000),
  }
}
