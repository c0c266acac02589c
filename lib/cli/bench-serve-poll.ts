/**
 * The reader beside the load, a process of its own so that the trainer's arithmetic does not stand in its timings: once a
 * second what the pages of a run poll, and every 50 ms the smallest request there is, which tells how responsive the server is.
 * Starts with three arguments (address, token, run), ends when its input does, and writes its samples as one JSON document.
 */
import { addSample, type Samples } from './bench-serve-figures'

const ROUND_MS = 1000
const BEAT_MS = 50

/** What each page asks for; the names are those of the table. */
const READS: readonly [name: string, path: string][] = [
  ['changes', '/changes'],
  ['run', ''],
  ['overview', '/overview'],
  ['environments', '/environments'],
  ['series', '/series'],
  ['graph', '/graph'],
  ['steering', '/steering'],
  ['batches', '/batches?limit=200'],
  ['tasks', '/tasks?limit=100'],
]

async function main([address = '', token = '', run = '']: string[]): Promise<void> {
  const samples: Samples = {}
  const bytes: Record<string, number> = {}
  let over = false
  process.stdin.resume()
  process.stdin.once('end', () => {
    over = true
  })
  const timed = async (name: string, url: string) => {
    const started = performance.now()
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
    const body = await response.arrayBuffer()
    if (!response.ok) throw new Error(`${url} answered ${response.status}`)
    addSample(samples, name, performance.now() - started)
    bytes[name] = body.byteLength
  }
  const every = async (pause: number, work: () => Promise<unknown>) => {
    while (!over) {
      const started = performance.now()
      await work()
      await new Promise((done) => setTimeout(done, Math.max(0, pause - (performance.now() - started))))
    }
  }
  const api = `${address}/api/v1`
  await Promise.all([
    every(BEAT_MS, () => timed('healthz', `${address}/healthz`)),
    every(ROUND_MS, async () => {
      await timed('runs', `${api}/runs`)
      for (const [name, path] of READS) await timed(name, `${api}/runs/${run}${path}`)
      const task = samples.changes?.length ?? 0
      await timed('task', `${api}/runs/${run}/tasks/t${1 + (task % 1000)}`)
      await timed('evidence', `${api}/runs/${run}/tasks/t${1 + (task % 1000)}/evidence`)
      await timed('batch', `${api}/runs/${run}/batches/b1`)
    }),
  ])
  process.stdout.write(JSON.stringify({ samples, bytes }))
}

await main(process.argv.slice(2))
