/**
 * What was committed survives kill -9, what was not is gone, and the next process writes on.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { openDatabase } from '@/lib/store/database'
import { appendEntries, readEntries } from '@/lib/store/log'
import { findRun } from '@/lib/store/run'
import { isAvailable, useDatabase } from '@/tests/support/database'
import { seedRun } from '@/tests/support/store-rows'

for (const provider of ['sqlite', 'postgresql'] as const) {
  describe.skipIf(!isAvailable(provider))(`kill -9 on ${provider}`, () => {
    const database = useDatabase(provider)

    it('keeps what was committed and nothing else', async () => {
      const run = await seedRun(database())
      const { url } = database()
      const child = spawn(process.execPath, ['--import', 'tsx', 'tests/support/store-crash.ts', url, run.id], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const told: string[] = []
      await new Promise<void>((resolve, reject) => {
        child.once('exit', () => reject(new Error('the writer ended by itself')))
        child.stdout.setEncoding('utf8').on('data', (text: string) => {
          told.push(...text.split('\n').filter((line) => line !== ''))
          if (told.includes('holding')) resolve()
        })
      })
      child.removeAllListeners('exit')
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
      expect(told).toHaveLength(21)

      const after = await openDatabase(url)
      // PostgreSQL may need a moment to notice that the writer's connection is gone
      const next = await after.transaction((tx) => appendEntries(tx, run.id, 20, 1, [{ kind: 'policy', at: 99 }]))
      expect(next).toBe(21)
      const entries = await readEntries<{ at: number }>(after.db, run.id, 0)
      expect(entries.map((entry) => entry.seq)).toEqual(Array.from({ length: 21 }, (_, index) => index + 1))
      expect(entries.at(-1)?.payload.at).toBe(99)
      expect((await findRun(after.db, run.id))?.logSeq).toBe(21)
      await after.close()
    })
  })
}
