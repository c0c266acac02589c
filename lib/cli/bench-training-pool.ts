/**
 * Makes the trainings of a list, several at a time.
 * Owns: the processes and who gets the next job. Must never know: what a job means, files.
 * Invariant: `done` is told of every job once, in the order they end; what a job gives does not depend on how many run beside it.
 * Processes and not threads: Node 20 cannot start a TypeScript worker through tsx. They end with this process.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { BenchJob } from '@/lib/testbed/training-job'
import { type Outcome, timed } from './bench-training-timed'

const CHILD = fileURLToPath(new URL('./bench-training-child.ts', import.meta.url))

interface Answer {
  index: number
  outcome?: Outcome
  error?: string
}

/** Rejects with the first failure, after the others were stopped. */
export async function runJobs(
  jobs: readonly BenchJob[],
  threads: number,
  done: (outcome: Outcome) => void,
): Promise<void> {
  if (threads < 2 || jobs.length < 2) {
    for (const job of jobs) {
      done(timed(job))
      await new Promise((resolve) => setImmediate(resolve))
    }
    return
  }
  let next = 0
  const children: ChildProcess[] = []
  const work = (child: ChildProcess) =>
    new Promise<void>((resolve, reject) => {
      const give = () => {
        if (next < jobs.length) child.send({ index: next, job: jobs[next++] })
        else resolve()
      }
      child.on('message', ({ outcome, error }: Answer) => {
        if (outcome === undefined) return reject(new Error(error ?? 'a training gave no result'))
        try {
          done(outcome)
        } catch (cause) {
          return reject(cause instanceof Error ? cause : new Error(String(cause)))
        }
        give()
      })
      child.on('error', reject)
      child.on('exit', (code) => reject(new Error(`a process of the bench ended with code ${code}`)))
      give()
    })
  for (let i = 0; i < Math.min(threads, jobs.length); i++) children.push(fork(CHILD, { execArgv: ['--import', 'tsx'] }))
  try {
    await Promise.all(children.map(work))
  } finally {
    for (const child of children) {
      child.removeAllListeners()
      // one that has died is not connected, and its own failure is what shall be told
      if (child.connected) child.disconnect()
      child.kill()
    }
  }
}
