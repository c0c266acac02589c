/**
 * One model, two databases: the PostgreSQL schema is the SQLite one, and the migrations of each make exactly its schema.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { ARCHIVE_TABLE_NAMES } from '@/lib/store/archive'
import { postgresqlSchema, sqliteSchema, toPostgresql } from '@/prisma/schema.mjs'
import { createTestDatabase, isAvailable, stopPostgresql } from '@/tests/support/database'

function db(url: string, ...args: string[]) {
  const done = spawnSync(process.execPath, ['prisma/db.mjs', ...args], {
    env: { ...process.env, DATABASE_URL: url },
    encoding: 'utf8',
  })
  return { status: done.status, output: done.stdout + done.stderr }
}

describe('schema', () => {
  it('is the same for both databases', () => {
    const sqlite = readFileSync(sqliteSchema, 'utf8')
    const postgresql = readFileSync(postgresqlSchema, 'utf8')
    expect(postgresql).toBe(toPostgresql(sqlite))
    const models = (text: string) => text.slice(text.indexOf('\nmodel '))
    expect(models(postgresql)).toBe(models(sqlite))
    expect(models(sqlite)).toContain('model Rollout')
  })

  it('is in an archive of a run, table by table, but for what belongs to the server', () => {
    const models = readFileSync(sqliteSchema, 'utf8')
      .split(/^model /m)
      .slice(1)
    const owned = models.flatMap((text) => (/^\s+(runId|taskSetId)\s/m.test(text) ? (text.split(/\s/)[0] ?? []) : []))
    // a webhook's secret stays with the server it was given to
    const notCarried = ['Run', 'ImportJob', 'Webhook']
    expect(owned.filter((name) => !notCarried.includes(name)).sort()).toEqual([...ARCHIVE_TABLE_NAMES].sort())
  })

  it('has migrations of the same names for both databases', () => {
    expect(readdirSync('prisma/postgresql/migrations')).toEqual(readdirSync('prisma/sqlite/migrations'))
  })
})

for (const provider of ['sqlite', 'postgresql'] as const) {
  describe.skipIf(!isAvailable(provider))(`migrations on ${provider}`, () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'envsched-migrate-'))
    afterAll(async () => {
      rmSync(folder, { recursive: true, force: true })
      await stopPostgresql()
    })

    it('make exactly the schema, and are applied once', async () => {
      const made = await createTestDatabase(provider)
      expect(db(made.url, 'deploy')).toEqual({ status: 0, output: 'nothing to apply\n' })
      expect(db(made.url, 'diff')).toMatchObject({ status: 0, output: expect.stringContaining('empty migration') })
      await made.drop()
    })

    it('start from nothing, in a folder that is not there yet', async () => {
      if (provider === 'sqlite') {
        const url = `file:${path.join(folder, 'not', 'yet', 'a.db')}`
        expect(db(url, 'deploy')).toMatchObject({ status: 0, output: expect.stringContaining('_initial') })
        expect(db(url, 'reset')).toMatchObject({ status: 1, output: expect.stringContaining('--force') })
        expect(db(url, 'reset', '--force')).toMatchObject({ status: 0, output: expect.stringContaining('_initial') })
      } else {
        const made = await createTestDatabase(provider)
        expect(db(made.url, 'reset', '--force')).toMatchObject({
          status: 0,
          output: expect.stringContaining('_initial'),
        })
        expect(db(made.url, 'diff').status).toBe(0)
        await made.drop()
      }
    })
  })
}
