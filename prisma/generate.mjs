// `prisma generate` for both databases, only when a schema changed since the last time (--force: always).
// The Prisma CLI insists on having its schema-engine binary on disk even though generate never runs it; naming any
// existing file stops the download attempt (works offline and online).
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { postgresqlSchema, sqliteSchema, writePostgresqlSchema } from './schema.mjs'

const root = path.dirname(import.meta.dirname)
const require = createRequire(import.meta.url)
const version = JSON.parse(readFileSync(require.resolve('prisma/package.json'), 'utf8')).version

writePostgresqlSchema()
for (const [provider, schema, url] of [
  ['sqlite', sqliteSchema, 'file:./unused.db'],
  ['postgresql', postgresqlSchema, 'postgresql://unused'],
]) {
  const output = path.join(root, 'lib', 'generated', provider)
  const stampFile = path.join(output, '.schema-hash')
  const stamp = createHash('sha256').update(version).update(readFileSync(schema)).digest('hex')
  const fresh = existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp
  if (fresh && !process.argv.includes('--force')) continue
  const cli = path.join(path.dirname(require.resolve('prisma/package.json')), 'build', 'index.js')
  const done = spawnSync(process.execPath, [cli, 'generate'], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      DATABASE_URL: url,
      PRISMA_SCHEMA_ENGINE_BINARY: process.env.PRISMA_SCHEMA_ENGINE_BINARY ?? process.execPath,
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
      CHECKPOINT_DISABLE: '1',
    },
  })
  if (done.status !== 0) process.exit(done.status ?? 1)
  writeFileSync(stampFile, stamp)
}
