/**
 * Contract mismatch: an environment that has never paid while its verifier or the answer's format keeps failing.
 * Formula: all of at least 4 trusted groups (24 trusted rollouts) have mean 0, and the lower Wilson bound of the share of
 * rollouts with a verifier or format error is at least a quarter. Format errors are error texts of trusted rollouts.
 * Why: a policy that is too weak fails silently; one that does not meet the contract fails with messages. Errors of the
 * infrastructure say nothing about the contract and are taken off; one reward above the low end ends it for good.
 */

import { wilson } from '@/lib/service/tally'
import type { GroupRow } from '@/lib/store/group'
import { type AlarmRule, perEnvironment } from './ring'

const GROUPS = 4
const ROLLOUTS = 24
const LEAST_ERRORS = 0.25

export interface ContractBook {
  /** groups with a trusted rollout, and whether all of them had mean 0 */
  groups: number
  allZero: boolean
  trusted: number
  returned: number
  errors: number
  /** tasks of which a group had verifier errors and nothing trusted */
  brokenTasks: Set<number>
}

export const emptyContract = (): ContractBook => ({
  groups: 0,
  allZero: true,
  trusted: 0,
  returned: 0,
  errors: 0,
  brokenTasks: new Set(),
})

/** Verifier and format errors of a group; error texts of rollouts that failed otherwise are taken off. */
function contractErrors(group: GroupRow): number {
  let otherwise = 0
  for (const [status, count] of Object.entries(group.statuses))
    if (status !== 'ok' && status !== 'truncated' && status !== 'verifier_error') otherwise += count
  return Math.min(group.returned, Math.max(group.verifierErrors, group.errors - otherwise))
}

export function foldContract(book: ContractBook, group: GroupRow): void {
  book.returned += group.returned
  book.errors += contractErrors(group)
  if (group.trusted === 0) {
    if (group.verifierErrors > 0) book.brokenTasks.add(group.task)
    return
  }
  book.groups += 1
  book.trusted += group.trusted
  if (group.mean !== 0) book.allZero = false
}

export const contractMismatch: AlarmRule = (run) =>
  perEnvironment(run, ({ name, paused, book: { contract } }) => {
    const { groups, allZero, trusted, returned, errors } = contract
    if (paused || !allZero || groups < GROUPS || trusted < ROLLOUTS) return null
    if (wilson(errors, returned).low < LEAST_ERRORS) return null
    return {
      kind: 'contract',
      severity: 'bad',
      title: `${name} pays nothing.`,
      sentence: `All of its ${groups} groups are zero and ${errors} of ${returned} rollouts report errors: check answer format and verifier.`,
      ago: 0,
    }
  })
