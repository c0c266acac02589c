/**
 * Starts the demo trainer as a process of its own, over HTTP like anyone's, with a token of its own that can only report.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { findRunWithKey } from '@/lib/store/run'
import { createToken } from '@/lib/store/token'
import { hashToken } from './access'
import type { Runtime } from './runtime'
import { ServiceError } from './service-error'

const PATIENCE_MS = 30_000
const LOOK_MS = 200

export async function startDemo(runtime: Runtime, now: number): Promise<{ run: string }> {
  const token = randomBytes(24).toString('base64url')
  const key = `demo ${randomBytes(6).toString('hex')}`
  await runtime.database.transaction((tx) =>
    createToken(tx, { hash: hashToken(token), name: 'demo trainer', scope: 'report', createdAt: now }),
  )
  const { host, port } = runtime.settings
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  const script = path.join(process.cwd(), 'lib/cli/demo-trainer.ts')
  const child = spawn(process.execPath, ['--import', 'tsx', script, '--url', url, '--key', key], {
    env: { ...process.env, ENVSCHED_TOKEN: token, NODE_OPTIONS: '' },
    stdio: 'ignore',
  })
  child.unref()
  let over = false
  child.once('exit', () => {
    over = true
  })
  child.once('error', () => {
    over = true
  })
  for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_MS) {
    const run = await findRunWithKey(runtime.database.db, key)
    if (run !== null) return { run: run.id }
    if (over) break
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
  child.kill()
  throw new ServiceError(
    503,
    'demo_failed',
    'The demo trainer did not start: run "npm run demo" in a terminal to see why.',
  )
}
