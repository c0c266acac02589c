/**
 * What alarm rules remember of a run: a fold over its absorbed groups, in the order they were absorbed.
 * Owns: which rule reads which group. Must never know: thresholds.
 * Invariant: book = fold(groups), whenever it was begun; a late group counts like any other. Cost: O(1) a group, and memory of
 * O(environments * window + tasks without reward + things).
 */
import type { GroupRow } from '@/lib/store/group'
import { type ContractBook, emptyContract, foldContract } from './contract-mismatch'
import { type DriftBook, foldDrift } from './drift'
import { emptyRow, type FailureRow, foldFailures } from './failures'
import { emptyForgetting, type ForgettingBook, foldForgetting } from './forgetting'
import { emptyNoise, foldNoise, type NoiseBook } from './noisy-verifier'
import { emptySelfLock, foldSelfLock, type SelfLockBook } from './self-lock'

export interface EnvironmentBook {
  contract: ContractBook
  failures: FailureRow
  drift: DriftBook
  forgetting: ForgettingBook
  noise: NoiseBook
  selfLock: SelfLockBook
}

export interface RunBook {
  /** groups folded */
  groups: number
  failures: FailureRow
  drift: DriftBook
  environments: EnvironmentBook[]
}

/** What the fold must know of a task set. */
export interface BookPlaces {
  environmentOf: (task: number) => number
  /** things the task uses; repeats kept */
  thingsOf: (task: number) => readonly string[]
}

export function emptyBook(environments: number): RunBook {
  return {
    groups: 0,
    failures: emptyRow(),
    drift: [],
    environments: Array.from({ length: environments }, () => ({
      contract: emptyContract(),
      failures: emptyRow(),
      drift: [],
      forgetting: emptyForgetting(),
      noise: emptyNoise(),
      selfLock: emptySelfLock(),
    })),
  }
}

/** Takes an absorbed group in. One of which nothing returned says nothing here: leases have their own rule. */
export function foldBook(book: RunBook, group: GroupRow, places: BookPlaces): void {
  book.groups += 1
  if (group.returned === 0) return
  const ordinal = places.environmentOf(group.task)
  const environment = book.environments[ordinal]
  if (environment === undefined) return
  foldFailures(book.failures, group, ordinal)
  foldDrift(book.drift, group, 'run')
  foldContract(environment.contract, group)
  foldFailures(environment.failures, group, ordinal)
  foldDrift(environment.drift, group, 'environment')
  foldForgetting(environment.forgetting, group)
  foldNoise(environment.noise, group)
  foldSelfLock(environment.selfLock, group, places.thingsOf(group.task))
}
