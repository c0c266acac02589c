/* Owns the words under the bars of Yield. Invariant: the bars count groups; what counts rollouts says so, and the parts add up. */
import type { Overview } from '@/lib/contract/overview'
import { formatFixed } from './format'
import { distrustWords } from './status-words'

type Sums = Overview['yield']

/** "groups of 8", "groups of 4 + 4" in two stages. */
export function askedWords({ groupSize, stages }: Pick<Sums, 'groupSize' | 'stages'>): string {
  if (stages !== null) return `groups of ${stages.join(' + ')}`
  return groupSize === null ? 'groups' : `groups of ${formatFixed(groupSize, 0)}`
}

/** "rollouts left out: 31 infra, 7 verifier errors". */
export function leftOutWords({ statuses, untrusted }: Sums): string {
  const words = distrustWords(statuses, untrusted)
  return /^\d/.test(words) ? `rollouts left out: ${words}` : words
}

/** What the trusted groups that are not informative are: "12 all solved, 9 all failed, 3 equal in between". */
export function uninformativeWords(sums: Sums): string {
  const parts = [`${formatFixed(sums.allSolved, 0)} all solved`, `${formatFixed(sums.allFailed, 0)} all failed`]
  if (sums.allEqual > 0) parts.push(`${formatFixed(sums.allEqual, 0)} equal in between`)
  if (sums.single > 0) parts.push(`${formatFixed(sums.single, 0)} with one trusted rollout`)
  return parts.join(', ')
}
