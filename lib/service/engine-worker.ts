/**
 * The worker thread's entry: takes a call by name, answers with its result or its message. Knows nothing else.
 */
import { parentPort } from 'node:worker_threads'
import { createEngineRoom } from './engine-room'

const room = createEngineRoom() as Record<string, (...args: unknown[]) => unknown>

parentPort?.on('message', ({ id, name, args }: { id: number; name: string; args: unknown[] }) => {
  try {
    const call = room[name]
    if (call === undefined) throw new Error(`the engine has no call ${name}`)
    parentPort?.postMessage({ id, result: call(...args) })
  } catch (cause) {
    parentPort?.postMessage({ id, error: cause instanceof Error ? cause.message : String(cause) })
  }
})
