/**
 * What a training bench still has to do, and doing it.
 * Owns: the jobs that are missing in a book, in the order seed, world, arm, so that a bench that is stopped has whole seeds.
 * Invariant: targets come before the arms that are measured by them; `saved` is told after every job, with the book as it then is.
 */
import { hasTraining, record, type TrainingBook, targetOf } from '@/lib/testbed/training-book'
import type { ArmJob, TargetJob } from '@/lib/testbed/training-job'
import { runJobs } from './bench-training-pool'
import type { Outcome } from './bench-training-timed'

export interface BenchPlan {
  worlds: readonly string[]
  arms: readonly string[]
  seeds: readonly number[]
  threads: number
}

const cells = ({ seeds, worlds }: BenchPlan) => seeds.flatMap((seed) => worlds.map((world) => ({ world, seed })))

export function missingTargets(book: TrainingBook, plan: BenchPlan): TargetJob[] {
  return cells(plan)
    .filter(({ world, seed }) => targetOf(book, world, seed) === null)
    .map((cell) => ({ kind: 'target', ...cell, settings: book.settings }))
}

/** Of the cells whose target is known. */
export function missingArms(book: TrainingBook, plan: BenchPlan): ArmJob[] {
  return cells(plan).flatMap(({ world, seed }) => {
    const target = targetOf(book, world, seed)
    if (target === null) return []
    return plan.arms
      .filter((arm) => !hasTraining(book, world, seed, arm))
      .map((arm) => ({ kind: 'arm', world, seed, settings: book.settings, arm, target }) as const)
  })
}

/** Fills the book in place. */
export async function fillBook(
  book: TrainingBook,
  plan: BenchPlan,
  code: string,
  saved: (outcome: Outcome, left: number) => void,
): Promise<void> {
  let left = 0
  const take = (outcome: Outcome) => {
    const { seconds } = outcome
    if (outcome.kind === 'target') record(book.targets, { ...outcome.record, seconds, code })
    else record(book.trainings, { ...outcome.record, seconds, code })
    left -= 1
    saved(outcome, left)
  }
  const targets = missingTargets(book, plan)
  left = targets.length
  await runJobs(targets, plan.threads, take)
  const arms = missingArms(book, plan)
  left = arms.length
  await runJobs(arms, plan.threads, take)
}
