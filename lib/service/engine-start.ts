/**
 * Starts an engine host: in a worker thread on the server, in line for commands and tests.
 * Invariant: when the worker dies or is stopped every waiting call fails with one sentence, and the next call starts a new one;
 * states are rebuilt from the log, so nothing is lost with it.
 */
import { Worker } from 'node:worker_threads'
import type { EngineCalls, EngineHost } from './engine-host'
import { createEngineRoom } from './engine-room'

const NAMES: (keyof EngineCalls)[] = [
  'seqOf',
  'open',
  'apply',
  'propose',
  'view',
  'issues',
  'predictions',
  'predictors',
  'predict',
  'evidence',
  'encode',
  'close',
  'structure',
  'replayOpen',
  'replayArm',
  'replayDrawn',
]

function hostOf(
  call: (name: keyof EngineCalls, args: unknown[]) => Promise<unknown>,
  stop: () => Promise<void>,
  waiting: () => number,
): EngineHost {
  const calls = Object.fromEntries(NAMES.map((name) => [name, (...args: unknown[]) => call(name, args)]))
  return { ...calls, stop, waiting } as EngineHost
}

export function startInlineEngine(): EngineHost {
  const room = createEngineRoom() as Record<string, (...args: unknown[]) => unknown>
  return hostOf(
    async (name, args) => room[name]?.(...args),
    async () => undefined,
    () => 0,
  )
}

export function startEngineWorker(): EngineHost {
  let worker: Worker | null = null
  let next = 0
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (cause: Error) => void }>()
  const fail = (cause: Error) => {
    worker = null
    for (const { reject } of waiting.values()) reject(cause)
    waiting.clear()
  }
  const start = () => {
    const started = new Worker(new URL('./engine-worker.ts', import.meta.url))
    started.on('message', ({ id, result, error }: { id: number; result: unknown; error?: string }) => {
      const call = waiting.get(id)
      waiting.delete(id)
      if (error === undefined) call?.resolve(result)
      else call?.reject(new Error(error))
    })
    started.on('error', (cause) => fail(cause instanceof Error ? cause : new Error(String(cause))))
    started.on('exit', (code) => {
      if (worker === started) fail(new Error(`the engine's thread ended with code ${code}`))
    })
    started.unref()
    return started
  }
  const call = (name: string, args: unknown[]) =>
    new Promise<unknown>((resolve, reject) => {
      worker ??= start()
      next += 1
      waiting.set(next, { resolve, reject })
      worker.postMessage({ id: next, name, args })
    })
  const stop = async () => {
    const running = worker
    fail(new Error('the engine was stopped'))
    await running?.terminate()
  }
  return hostOf(call, stop, () => waiting.size)
}
