/**
 * A process that writes and is killed: commits entries one by one, tells each, and holds a last transaction open.
 * usage: tsx tests/support/store-crash.ts URL RUN
 */
import { openDatabase } from '@/lib/store/database'
import { appendEntries } from '@/lib/store/log'

const [url, run] = process.argv.slice(2)
if (url === undefined || run === undefined) throw new Error('usage: store-crash.ts URL RUN')
const database = await openDatabase(url)
const entry = (policyVersion: number) => ({ kind: 'policy', at: policyVersion, policyVersion })
for (let seq = 0; seq < 20; seq++) {
  await database.transaction((tx) => appendEntries(tx, run, seq, 1, [entry(seq)]))
  process.stdout.write(`${seq + 1}\n`)
}
await database.transaction(async (tx) => {
  await appendEntries(tx, run, 20, 1, [entry(20)])
  process.stdout.write('holding\n')
  await new Promise((resolve) => setTimeout(resolve, 60_000))
})
