/**
 * Transactions: all or nothing, unseen until they commit, and the only place to write.
 */
import { describe, expect, it } from 'vitest'
import { announceRun, openAnnouncer } from '@/lib/store/announce'
import { openDatabase, providerOf } from '@/lib/store/database'
import { databaseBytes } from '@/lib/store/disk'
import { findRun, updateRun } from '@/lib/store/run'
import { isAvailable, useDatabase } from '@/tests/support/database'
import { seedRun } from '@/tests/support/store-rows'

describe('database url', () => {
  it('names the provider, or is refused', () => {
    expect(providerOf('file:/a/b.db')).toBe('sqlite')
    expect(providerOf('postgres://h/d')).toBe('postgresql')
    expect(() => providerOf('mysql://h/d')).toThrow('file: or postgresql:')
  })
})

for (const provider of ['sqlite', 'postgresql'] as const) {
  describe.skipIf(!isAvailable(provider))(`transactions on ${provider}`, () => {
    const database = useDatabase(provider)

    it('show nothing to others before they commit', async () => {
      const run = await seedRun(database())
      await database().transaction(async (tx) => {
        await updateRun(tx, run.id, { name: 'changed' })
        expect((await findRun(tx, run.id))?.name).toBe('changed')
        expect((await findRun(database().db, run.id))?.name).toBe('run')
      })
      expect((await findRun(database().db, run.id))?.name).toBe('changed')
    })

    it('leave nothing behind when they fail', async () => {
      const run = await seedRun(database())
      const failed = database().transaction(async (tx) => {
        await updateRun(tx, run.id, { name: 'changed' })
        throw new Error('on purpose')
      })
      await expect(failed).rejects.toThrow('on purpose')
      expect((await findRun(database().db, run.id))?.name).toBe('run')
    })

    it('are seen by a second connection once committed', async () => {
      const run = await seedRun(database())
      const other = await openDatabase(database().url)
      expect((await findRun(other.db, run.id))?.name).toBe('run')
      await other.close()
    })

    it('announce runs once they have committed, to every listener', async () => {
      const run = await seedRun(database())
      const announcers = [await openAnnouncer(database()), await openAnnouncer(database())]
      const heard: string[] = []
      for (const [index, announcer] of announcers.entries()) announcer.listen((id) => heard.push(`${index}:${id}`))
      const stop = announcers[0]!.listen(() => heard.push('stopped'))
      stop()
      const failed = database().transaction(async (tx) => {
        await announceRun(tx, 'failed')
        throw new Error('on purpose')
      })
      await expect(failed).rejects.toThrow('on purpose')
      await database().transaction(async (tx) => {
        await announceRun(tx, run.id)
        await new Promise((resolve) => setTimeout(resolve, 100))
        expect(heard).toEqual([])
      })
      await expect.poll(() => heard.toSorted(), { timeout: 5000 }).toEqual([`0:${run.id}`, `1:${run.id}`])
      for (const announcer of announcers) await announcer.close()
      await database().transaction((tx) => announceRun(tx, run.id))
      await new Promise((resolve) => setTimeout(resolve, 100))
      expect(heard).toHaveLength(2)
    })

    it('tell how many bytes the database takes', async () => {
      expect(await databaseBytes(database().db)).toBeGreaterThan(50_000)
    })
  })
}

describe.skipIf(!isAvailable('postgresql'))('announcer on postgresql', () => {
  const database = useDatabase('postgresql')

  it('listens again after its connection broke', async () => {
    const announcer = await openAnnouncer(database())
    const heard: string[] = []
    announcer.listen((id) => heard.push(id))
    await database().db.client.$queryRaw`
      select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %' and datname = current_database()`
    const announce = () => database().transaction((tx) => announceRun(tx, 'again'))
    await expect.poll(async () => announce().then(() => heard.length), { timeout: 10_000 }).toBeGreaterThan(0)
    await announcer.close()
  })
})

describe('sqlite', () => {
  const database = useDatabase('sqlite')

  it('refuses writes outside a transaction, which could land inside another one', async () => {
    const run = await seedRun(database())
    const write = database().db.client.run.update({ where: { id: run.id }, data: { name: 'x' } })
    await expect(write).rejects.toThrow(/readonly/)
  })

  it('runs in WAL mode with foreign keys', async () => {
    const { client } = database().db
    expect(await client.$queryRawUnsafe('pragma journal_mode')).toEqual([{ journal_mode: 'wal' }])
    const [row] = await client.$queryRawUnsafe<{ foreign_keys: number | bigint }[]>('pragma foreign_keys')
    expect(Number(row?.foreign_keys)).toBe(1)
  })
})
