/**
 * Contract mismatch: an environment that hardly ever pays while its verifier or the answer's format keeps failing.
 * Formula, over its newest 32 groups: at least 4 trusted groups with 24 trusted rollouts; none of these rollouts is above the low
 * end and the lower Wilson bound of the share of rollouts with a verifier or format error is at least a quarter; or a few are
 * above it, the lower Wilson bound of their share is at most 2 %, and that of the errors at least a half. Format errors are error
 * texts of trusted rollouts.
 * Why: a policy that is too weak fails silently; one that does not meet the contract fails with messages. Errors of the
 * infrastructure say nothing about the contract and are taken off. One lucky rollout is no contract kept, so it ends nothing.
 */

import { wilson } from '@/lib/service/tally'
import type { GroupRow } from '@/lib/store/group'
import { type AlarmRule, perEnvironment } from './ring'

const WINDOW = 32
const GROUPS = 4
const ROLLOUTS = 24
const LEAST_ERRORS = 0.25
const MOST_PAID = 0.02
const MOSTLY_ERRORS = 0.5

interface ContractGroup {
  trusted: number
  /** rollouts above the low end of the reward range */
  paid: number
  returned: number
  errors: number
}

export interface ContractBook {
  /** the newest groups of which something returned, oldest first */
  newest: ContractGroup[]
  /** tasks of which a group had verifier errors and nothing trusted */
  brokenTasks: Set<number>
}

export const emptyContract = (): ContractBook => ({ newest: [], brokenTasks: new Set() })

/** Verifier and format errors of a group; error texts of rollouts that failed otherwise are taken off. */
function contractErrors(group: GroupRow): number {
  let otherwise = 0
  for (const [status, count] of Object.entries(group.statuses))
    if (status !== 'ok' && status !== 'truncated' && status !== 'verifier_error') otherwise += count
  return Math.min(group.returned, Math.max(group.verifierErrors, group.errors - otherwise))
}

export function foldContract(book: ContractBook, group: GroupRow): void {
  const { trusted, returned, mean, low } = group
  const paid = trusted === 0 || mean === 0 ? 0 : Math.max(1, trusted - low)
  book.newest.push({ trusted, paid, returned, errors: contractErrors(group) })
  if (book.newest.length > WINDOW) book.newest.shift()
  if (trusted === 0 && group.verifierErrors > 0) book.brokenTasks.add(group.task)
}

export const contractMismatch: AlarmRule = (run) =>
  perEnvironment(run, ({ name, paused, book: { contract } }) => {
    const sum = (of: (group: ContractGroup) => number) => contract.newest.reduce((all, group) => all + of(group), 0)
    const groups = sum(({ trusted }) => (trusted > 0 ? 1 : 0))
    const trusted = sum((group) => group.trusted)
    if (paused || groups < GROUPS || trusted < ROLLOUTS) return null
    const paid = sum((group) => group.paid)
    const returned = sum((group) => group.returned)
    const errors = sum((group) => group.errors)
    if (wilson(paid, trusted).low > MOST_PAID) return null
    if (wilson(errors, returned).low < (paid === 0 ? LEAST_ERRORS : MOSTLY_ERRORS)) return null
    const texts = `${errors} of its last ${returned} rollouts carry an error text of the answer's format or the verifier`
    return {
      kind: 'contract',
      severity: 'bad',
      title: paid === 0 ? `${name} pays nothing.` : `${name} hardly pays.`,
      sentence:
        paid === 0
          ? `${texts} and none paid: check both.`
          : `${texts} and only ${paid} of ${trusted} trusted ones paid: check both.`,
      ago: 0,
    }
  })
