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
    const result = call(...args)
    // a state's bytes are megabytes, and made for this answer only: they move instead of being copied
    parentPort?.postMessage({ id, result }, result instanceof Uint8Array ? [result.buffer as ArrayBuffer] : [])
  } catch (cause) {
    parentPort?.postMessage({ id, error: cause instanceof Error ? cause.message : String(cause) })
  }
})
