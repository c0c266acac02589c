/**
 * The demo trainer as its own process against the production build, through a kill -9 of the server in the middle of a run
 * with two-stage groups: an answer that was lost is given again, so that the whole budget is spent.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { BatchSummary } from '@/lib/contract/batch'
import type { List } from '@/lib/contract/page'
import { startServer, type TestServer } from '@/tests/support/server'

const STEPS = 6
const dataDir = mkdtempSync(path.join(tmpdir(), 'envsched-trainer-'))
let server: TestServer | null = null
let trainer: ChildProcess | null = null

afterAll(async () => {
  trainer?.kill()
  await server?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

interface RunRow {
  id: string
  key: string | null
  status: string
  batch: number
  rollouts: number
}

const theRun = async (at: TestServer) => (await at.api<{ items: RunRow[] }>('/runs')).body.items[0]

async function until(fits: () => Promise<boolean>, milliseconds: number): Promise<void> {
  const end = Date.now() + milliseconds
  while (!(await fits())) {
    if (Date.now() > end) throw new Error(`it did not come true within ${milliseconds} ms`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

describe('the demo trainer on a live server', () => {
  it('loses nothing when the server is killed, goes on with the next one, and finishes its run', async () => {
    const first = await startServer({ dataDir })
    server = first
    const flags = [
      '--url',
      first.url,
      '--steps',
      String(STEPS),
      '--pace',
      '1',
      '--key',
      'test',
      '--stages',
      '4,4',
      '--patience',
      '120',
    ]
    const child = spawn(process.execPath, ['--import', 'tsx', 'lib/cli/demo-trainer.ts', ...flags], {
      env: { ...process.env, ENVSCHED_TOKEN: first.token, NODE_OPTIONS: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    trainer = child
    let said = ''
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))

    await until(async () => ((await theRun(first))?.batch ?? 0) >= 2, 60_000)
    await first.kill()
    const second = await startServer({ dataDir, port: first.port })
    server = second

    expect(await ended, said).toBe(0)
    const run = (await theRun(second))!
    expect(run).toMatchObject({ key: 'test', status: 'finished', batch: STEPS })
    expect(run.rollouts).toBe(STEPS * 32 * 8)
    const { body } = await second.api<List<BatchSummary>>(`/runs/${run.id}/batches`)
    expect(body.total).toBe(STEPS)
    for (const batch of body.items) {
      expect(batch).toMatchObject({ size: 32, groupSize: 8, stages: [4, 4] })
      expect(batch.picks).toBeGreaterThan(32)
      expect(batch.back).toBe(batch.picks)
    }
  }, 180_000)
})
