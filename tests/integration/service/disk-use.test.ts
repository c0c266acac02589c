import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readDiskUse, sampleDisk } from '@/lib/service/disk-use'
import { diskSamples } from '@/lib/store/disk'
import { createTestDatabase, isAvailable, stopPostgresql, type TestDatabase } from '@/tests/support/database'
import { openTestRuntime, START, startToyRun, train } from '@/tests/support/toy-run'

for (const provider of ['sqlite', 'postgresql'] as const) {
  describe.skipIf(!isAvailable(provider))(`disk use on ${provider}`, () => {
    let database: TestDatabase
    let runtime: Awaited<ReturnType<typeof openTestRuntime>>
    beforeEach(async () => {
      database = await createTestDatabase(provider)
      runtime = await openTestRuntime(database.url)
    })
    afterEach(async () => {
      await runtime.end()
      await database.drop()
    })
    if (provider === 'postgresql') afterAll(stopPostgresql)

    test('kinds add up, are counted once, and grow by what came since', async () => {
      const run = await startToyRun(runtime)
      const empty = await readDiskUse(runtime, run, START)
      expect(empty.counts).toMatchObject({ rollouts: 0, texts: 0, batches: 0, picks: 0, tasks: 48, otherRuns: 0 })
      await train(runtime, run, 0, 2)
      // within ten seconds the same answer stands
      expect((await readDiskUse(runtime, run, START + 9000)).counts.rollouts).toBe(0)
      const two = await readDiskUse(runtime, run, START + 31_000)
      expect(two.counts).toMatchObject({ rollouts: 64, texts: 64, batches: 2, picks: 16, predictions: 96 })
      expect(two.bytes).toBeCloseTo(two.parts.reduce((sum, part) => sum + part.bytes, 0))
      expect(two.parts.every((part) => part.bytes > 0)).toBe(true)
      await train(runtime, run, 2, 2)
      await startToyRun(runtime, { key: 'other' })
      const four = await readDiskUse(runtime, run, START + 62_000)
      expect(four.counts).toMatchObject({ rollouts: 128, texts: 128, batches: 4, picks: 32, otherRuns: 1 })
      // added up piece by piece or at once, it is the same
      const fresh = await openTestRuntime(database.url)
      expect((await readDiskUse(fresh, run, START)).parts).toEqual(four.parts)
      await fresh.end()
      const text = four.parts.find((part) => part.kind === 'text')?.bytes ?? 0
      expect(text / 128).toBeGreaterThanOrEqual('[{"role":"user","content":"hello"}]'.length)
      expect(text / 128).toBeLessThan(80)
    })

    test('the server tells what it takes, what is free, and what it grows by once two samples lie apart', async () => {
      const run = await startToyRun(runtime)
      await sampleDisk(runtime, START)
      const server = async (now: number) => (await readDiskUse(runtime, run, now)).server
      const before = await server(START + 60_000)
      expect(before.used).toBeGreaterThan(10_000)
      expect(before.growth).toBeNull()
      expect(before.diskFree === null).toBe(provider === 'postgresql')
      await train(runtime, run, 0, 4)
      const after = await server(START + 600_000)
      expect(after.growth?.seconds).toBe(600)
      const oldest = (await diskSamples(runtime.database.db, START))?.oldest.bytes ?? Number.NaN
      expect(after.used).toBeGreaterThan(before.used)
      expect(after.growth?.bytesADay).toBeCloseTo((after.used - oldest) * 144, 0)
    })

    test('a run that is not there says so', async () => {
      await expect(readDiskUse(runtime, 'none', START)).rejects.toMatchObject({ status: 404 })
    })
  })
}
