/**
 * The demo trainer for a test: its own process over HTTP, at the pace a test can wait for.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import type { RunSummary } from '@/lib/contract/run'
import type { TestServer } from './server'

export interface DemoTrainer {
  run: string
  stop(): void
}

export async function startDemoTrainer(
  server: TestServer,
  options: { pace: number; steps: number; key: string },
): Promise<DemoTrainer> {
  const args = ['--import', 'tsx', 'lib/cli/demo-trainer.ts', '--url', server.url, '--key', options.key]
  const child: ChildProcess = spawn(
    process.execPath,
    [...args, '--pace', String(options.pace), '--steps', String(options.steps)],
    {
      env: { ...process.env, ENVSCHED_TOKEN: server.token, NODE_OPTIONS: '' },
      stdio: 'ignore',
    },
  )
  const until = Date.now() + 60_000
  while (Date.now() < until) {
    const { body } = await server.api<{ items: RunSummary[] }>('/runs?limit=100')
    const run = body.items.find((one) => one.key === options.key && one.batch > 0)
    if (run !== undefined) return { run: run.id, stop: () => void child.kill('SIGTERM') }
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  child.kill('SIGKILL')
  throw new Error(`the demo trainer had no batch in a minute: ${server.log()}`)
}
