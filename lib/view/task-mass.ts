/**
 * Owns how much of a task's own groups is left in its prediction, joined from the evidence by policy version.
 * Invariant: a group that is still out is "not yet", one below the cut is "faded"; neither is 0.
 */
import type { EvidenceView } from '@/lib/contract/evidence'
import type { TaskDetail } from '@/lib/contract/task'

type Group = TaskDetail['groups'][number]

export type MassLeft = { kind: 'left'; mass: number } | { kind: 'faded' } | { kind: 'not_yet' } | { kind: 'none' }

export function massLeft(group: Group, evidence: EvidenceView | undefined): MassLeft {
  const { result } = group
  if (result.state === 'out' || result.state === 'partial') return { kind: 'not_yet' }
  if (result.trusted === 0) return { kind: 'none' }
  const own = evidence?.contributions.filter(({ kind }) => kind === 'own').flatMap(({ groups }) => groups) ?? []
  const same = own.filter((one) => !one.older && one.policyVersion === group.policyVersion)
  if (same.length > 0) return { kind: 'left', mass: same.reduce((sum, { weight }) => sum + weight, 0) }
  // A group is absorbed with the next batch: until then its variance is told, but no prediction rests on it.
  const waits = evidence !== undefined && group.batch !== null && group.batch >= evidence.batch
  return { kind: waits ? 'not_yet' : 'faded' }
}

/** Names the own groups that are no row of the tree, or null when all are. */
export function fadedSentence(task: TaskDetail, evidence: EvidenceView): string | null {
  const policies = task.groups
    .filter((group) => massLeft(group, evidence).kind === 'faded')
    .map(({ policyVersion }) => policyVersion)
    .sort((a, b) => a - b)
  if (policies.length === 0) return null
  const few = policies.length <= 4
  const last = few ? String(policies.at(-1)) : `${policies.length - 3} more`
  const first = policies.slice(0, few ? -1 : 3).join(', ')
  const names = first === '' ? last : `${first} and ${last}`
  const older = evidence.contributions.some(({ kind, groups }) => kind === 'own' && groups.some((group) => group.older))
  const subject = policies.length === 1 ? `Its group of policy ${names} has` : `Its groups of policies ${names} have`
  return older ? `${subject} merged into the older groups.` : `${subject} faded below the cut.`
}
