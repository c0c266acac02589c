/**
 * Interaction patterns: static clusters of tasks by the roles of the tools they use, in order.
 * Owns: how a role sequence is compressed to a readable name such as "read, search, update".
 * Invariant: static, from the task set alone, so that coverage of patterns does not move by itself; independent of task order.
 */
import { ROLES, type Role } from './task-set'

const LONGEST = 4
const MOST = 24
export const NO_TOOLS = 'no tools'
const MIXED = 'mixed'

function collapsed(roles: readonly Role[]): Role[] {
  return roles.filter((role, at) => at === 0 || roles[at - 1] !== role)
}

function distinct(roles: readonly Role[]): Role[] {
  const seen = new Set(roles)
  return ROLES.filter((role) => seen.has(role))
}

function nameOf(roles: readonly Role[]): string {
  if (roles.length === 0) return NO_TOOLS
  const sequence = collapsed(roles)
  return (sequence.length <= LONGEST ? sequence : distinct(roles)).join(', ')
}

function tally(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

/** The names that keep a cluster of their own: the most frequent, ties by name. */
function largest(names: readonly string[], most: number): Set<string> {
  const ranked = [...tally(names)].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  return new Set(ranked.slice(0, most).map(([name]) => name))
}

/** Cluster of each task and the clusters' names, sorted by name. `roles[i]`: roles of task i's tools in order. */
export function patternsOf(roles: readonly (readonly Role[])[]): { pattern: Int32Array; names: string[] } {
  let names = roles.map(nameOf)
  if (new Set(names).size > MOST) {
    const frequent = largest(names, MOST / 2)
    names = names.map((name, i) => (frequent.has(name) ? name : distinct(roles[i]!).join(', ')))
  }
  if (new Set(names).size > MOST) {
    const frequent = largest(names, MOST - 1)
    names = names.map((name) => (frequent.has(name) ? name : MIXED))
  }
  const sorted = [...new Set(names)].sort()
  const index = new Map(sorted.map((name, at) => [name, at]))
  return { pattern: Int32Array.from(names, (name) => index.get(name)!), names: sorted }
}
