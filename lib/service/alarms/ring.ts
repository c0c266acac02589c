/**
 * What every alarm rule is given and what it answers.
 * Owns: the shapes. Must never know: the store's calls, the engine's host, episodes.
 * Invariant: a rule is a pure function of these facts; it never keeps anything, so the same facts ring the same bells.
 */
import type { Alarm } from '@/lib/contract/overview'
import type { Quota } from '@/lib/engine/config'
import type { GroupRow } from '@/lib/store/group'
import type { EnvironmentBook, RunBook } from './alarm-book'

export interface Ring {
  /** what it is about, stable over batches: kind, and the environment's position where there is one */
  key: string
  kind: Alarm['kind']
  severity: Alarm['severity']
  environment: number | null
  title: string
  /** what happened, with numbers, and what to do */
  sentence: string
  /** batches ago that it began, where the rule knows */
  ago: number
}

export interface EnvironmentFacts {
  ordinal: number
  name: string
  tasks: number
  /** tasks that are not banned, that wait after untrusted groups, that are out */
  free: number
  waiting: number
  leased: number
  paused: boolean
  quota: Quota
  /** batches since its last pick; null = never picked */
  sincePick: number | null
  /** asked for in the last `RECENT` batches */
  recent: readonly GroupRow[]
  book: EnvironmentBook
}

export interface RunFacts {
  /** issued so far, and picks of a usual one */
  batch: number
  typicalBatch: number
  /** share of a batch that is drawn uniformly, 0 to 1 */
  uniformShare: number
  /** the informative share that is wanted, 0 to 1 */
  target: number
  /** asked for in the last `RECENT` batches, without late ones, oldest first */
  recent: readonly GroupRow[]
  /** how many batches `recent` reaches over */
  recentBatches: number
  /** groups of the newest batches, newest last: none of them has any when a run is stuck */
  newestSizes: readonly number[]
  leased: number
  /** leases that were given back before anything came of them */
  released: ReadonlySet<number>
  /** how a person calls a task */
  taskName: (task: number) => string
  environments: readonly EnvironmentFacts[]
  book: RunBook
}

export type AlarmRule = (run: RunFacts) => Ring[]

export const percent = (share: number): string => `${Math.round(share * 100)} %`

export const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`

/** One ring an environment for which the rule has something to say. */
export function perEnvironment(
  run: RunFacts,
  ringOf: (facts: EnvironmentFacts) => Omit<Ring, 'key' | 'environment'> | null,
): Ring[] {
  return run.environments.flatMap((facts) => {
    const ring = ringOf(facts)
    return ring === null ? [] : [{ ...ring, key: `${ring.kind}:${facts.ordinal}`, environment: facts.ordinal }]
  })
}
