/**
 * Reads a source of so many MB of rollout lines with conversations, made as it is read, and says how many came out.
 * Run as a process of its own with a small heap: what is held of each row would end it.
 */
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { readFiles } from '@/lib/formats/read-files'
import { FileScratch } from '@/lib/service/imports/file-scratch'

const most = Number(process.argv[2] ?? 1) * 1e6
const words = 'the agent looks at the shelf, takes the next item and writes down what it saw, '.repeat(40)

async function* rows(): AsyncGenerator<Uint8Array> {
  for (let made = 0, n = 0; made < most; n++) {
    const messages = [0, 1, 2].map((turn) => ({ role: turn === 1 ? 'assistant' : 'user', content: `${n} ${words}` }))
    const task = `task ${n % 500}`
    const row = { environment: `env ${n % 5}`, task, policy_version: Math.floor(n / 2000), reward: n % 2, messages }
    const bytes = Buffer.from(`${JSON.stringify({ ...row, prompt: messages.slice(0, 1), note: words })}\n`)
    made += bytes.length
    yield bytes
  }
}

const place = path.join(tmpdir(), `envsched-large-${process.pid}`)
const scratch = new FileScratch(place)
try {
  const source = await readFiles([{ name: 'large.jsonl', open: rows }], { scratch })
  let characters = 0
  for (const { rollouts } of source.groups) characters += JSON.stringify(rollouts).length
  process.stdout.write(JSON.stringify({ rollouts: source.rollouts, characters }))
} finally {
  scratch.remove()
  rmSync(place, { force: true })
}
