/**
 * The seeds of one source over threads: each takes the next seed that is left, so slow ones do not hold the others up.
 * Owns: the worker's entry too (this file is both sides). Invariant: outcomes are in the order of the seeds, whatever thread made them.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import type { ReplayLadder } from '@/lib/testbed/replay/ladder'
import { replaySeed, type SeedOutcome, type SeedPlan } from '@/lib/testbed/replay/replay-seed'

type Progress = (seed: number, what: string) => void

type Answer = { seed: number; what: string } | { seed: number; outcome: SeedOutcome }

interface Task {
  file: string
  ladder: ReplayLadder
  plan: SeedPlan
}

/** Node 20 does not read TypeScript in a thread by itself: tsx is registered first, then this file is loaded there. */
const START = `const { workerData } = require('node:worker_threads')
import('tsx/esm/api').then(({ register }) => { register(); return import(workerData.file) })`

/** One thread (or none of its own: `threads` 1 runs in this one) a seed at a time. */
export async function replaySeeds(
  ladder: ReplayLadder,
  seeds: readonly number[],
  plan: SeedPlan,
  threads: number,
  progress: Progress,
): Promise<SeedOutcome[]> {
  if (threads <= 1 || seeds.length <= 1)
    return seeds.map((seed) => replaySeed(ladder, seed, plan, (what) => progress(seed, what)))
  const outcomes = new Map<number, SeedOutcome>()
  const left = [...seeds]
  const work = () =>
    new Promise<void>((resolve, reject) => {
      const worker = new Worker(START, {
        eval: true,
        workerData: { file: import.meta.url, ladder, plan } satisfies Task,
      })
      const next = () => {
        const seed = left.shift()
        if (seed !== undefined) worker.postMessage(seed)
        else worker.terminate().then(() => resolve(), reject)
      }
      worker.on('message', (answer: Answer) => {
        if ('what' in answer) return progress(answer.seed, answer.what)
        outcomes.set(answer.seed, answer.outcome)
        next()
      })
      worker.on('error', reject)
      next()
    })
  await Promise.all(Array.from({ length: Math.min(threads, seeds.length) }, work))
  return seeds.map((seed) => {
    const outcome = outcomes.get(seed)
    if (outcome === undefined) throw new Error(`the thread of seed ${seed} ended without an answer`)
    return outcome
  })
}

if (!isMainThread && parentPort !== null) {
  const port = parentPort
  const { ladder, plan } = workerData as Task
  port.on('message', (seed: number) => {
    const outcome = replaySeed(ladder, seed, plan, (what) => port.postMessage({ seed, what } satisfies Answer))
    port.postMessage({ seed, outcome } satisfies Answer)
  })
}
