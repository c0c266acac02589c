/**
 * What circumstances forbade and was relaxed in a batch, one sentence each. Owns: which of it is said.
 * Must never know: how it was chosen beyond the selection's own record. Invariant: silent when nothing gave way.
 */
import type { InForce } from './overrides'
import type { Ground, Proposal } from './proposal'
import { BLOCKED } from './select'

/** At most this many environments are named for one kind of shortage; the rest is counted. */
const NAMED = 3

const percent = (share: number) => `${Math.round(1000 * share) / 10} %`
const picks = (count: number) => (count === 1 ? '1 pick was' : `${count} picks were`)
const tasks = (count: number) => (count === 1 ? '1 task' : `${count} tasks`)

function freeNow(count: number): string {
  if (count === 0) return 'none of its tasks is free now'
  return `only ${count} of its tasks ${count === 1 ? 'is' : 'are'} free now`
}

function shortage(ground: Ground, proposal: Proposal, counts: Int32Array): string[] {
  const missing = ground.size - proposal.selection.chosen.length
  if (missing <= 0) return []
  const kept = [
    [counts[BLOCKED.leased]!, 'leased'],
    [counts[BLOCKED.banned]!, 'banned'],
    [counts[BLOCKED.paused]!, 'paused'],
  ] as const
  const why = kept.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`)
  const beside = why.length > 0 ? ` (${why.join(', ')})` : ''
  return [`${picks(ground.size)} asked for, only ${tasks(proposal.selection.chosen.length)} could be given${beside}.`]
}

function quotaNotes(now: InForce, proposal: Proposal, names: (e: number) => string, free: Int32Array): string[] {
  const { input, selection, plan } = proposal
  const lines: string[] = []
  for (let e = 0; e < now.quotas.length; e++) {
    const quota = now.quotas[e]!
    if (selection.taken[e]! > input.allow[e]!)
      lines.push(
        `${names(e)} goes over its upper quota of ${percent(quota.upper)}: pins, uniform slots or a shortage come first.`,
      )
    const owed = input.need[e]!
    if (selection.taken[e]! >= owed) continue
    if (free[e]! < owed) lines.push(`${names(e)}: ${percent(quota.lower)} needs ${owed} picks, ${freeNow(free[e]!)}.`)
    else if (plan.need[e]! > 0)
      lines.push(
        `${names(e)}: ${percent(quota.lower)} needs ${owed} picks, this batch has room for ${selection.taken[e]!}.`,
      )
  }
  if (lines.length <= NAMED) return lines
  return [...lines.slice(0, NAMED), `${lines.length - NAMED} more environments miss a quota in this batch.`]
}

export function notesOf(ground: Ground, now: InForce, proposal: Proposal, names: (e: number) => string): string[] {
  const { input, selection } = proposal
  const counts = new Int32Array(5)
  const free = new Int32Array(now.quotas.length)
  let bannedPins = 0
  input.blocked.forEach((rule, i) => {
    counts[rule]!++
    if (rule === BLOCKED.free) free[input.environmentOf[i]!]!++
    if (now.pinned[i] === 1 && rule === BLOCKED.banned) bannedPins++
  })
  const notes = [...shortage(ground, proposal, counts), ...quotaNotes(now, proposal, names, free)]
  const { relaxed } = selection
  if (relaxed.environmentCap)
    notes.push('The cap on picks an environment was lifted: too few environments have free tasks.')
  if (relaxed.waiting) notes.push('Tasks that wait after untrusted groups were used: nothing else was free.')
  const uniform = selection.chosen.filter(({ slot }) => slot === 'uniform').length
  if (uniform < Math.min(input.uniformCount, selection.chosen.length))
    notes.push(`Only ${uniform} of ${input.uniformCount} uniform slots could be drawn.`)
  if (bannedPins > 0) notes.push(`${tasks(bannedPins)} both pinned and banned: the ban holds.`)
  const pinned = selection.chosen.filter(({ slot }) => slot === 'pin').length
  const wanted = input.pins.filter((i) => input.blocked[i] === BLOCKED.free).length
  if (pinned < wanted) notes.push(`${wanted} tasks are pinned, ${pinned} fit into this batch; the others come next.`)
  return notes
}
