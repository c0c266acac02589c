/**
 * The closest runners-up of a batch and the rule that kept each out.
 * Owns: how close a task came, and naming its rule. Must never know: the change that would let it in (counterfactual.ts).
 * Invariant: none of them is in the batch; terms sum to the score. Cost: O(N), and 64 similarities to each pick.
 */
import type { LeftOut, Rule } from './decision'
import { heapFirst } from './heap'
import type { InForce } from './overrides'
import type { Ground, Proposal } from './proposal'
import { BLOCKED } from './select'
import { recencyShare, scoreOf, termsOf } from './terms'
import { waitOf } from './trust'

const LISTED = 6
/** highest scores that are looked at: of free tasks, and of those that a rule blocks */
const LOOKED_AT = { free: 48, blocked: 16 }
/** entries with the same rule in the same environment: six times the same reason says no more than two */
const SAME_RULE = 2

/** A runner-up before its change is known. */
export type RunnerUp = Omit<LeftOut, 'change'>
const LONGEST_RECENCY = 12

/** What a runner-up is measured against: the lowest score that was chosen for its score. */
export function thresholdOf(proposal: Proposal): number {
  const { threshold, chosen } = proposal.selection
  return threshold ?? chosen.reduce((least, { score }) => Math.min(least, score), chosen[0]?.score ?? 0)
}

function blockedRule(blocked: number): Rule | null {
  if (blocked === BLOCKED.banned) return 'banned'
  if (blocked === BLOCKED.paused) return 'paused'
  if (blocked === BLOCKED.leased) return 'leased'
  return blocked === BLOCKED.waiting ? 'waiting' : null
}

function ruleOf(proposal: Proposal, i: number, score: number, similarity: number): Rule {
  const { input, selection } = proposal
  const threshold = thresholdOf(proposal)
  const e = input.environmentOf[i]!
  const blocked = blockedRule(input.blocked[i]!)
  if (blocked !== null) return blocked
  const { scores } = input
  const quota = 0
  if (score >= threshold) {
    if (selection.taken[e]! >= input.room[e]!) return 'concurrency'
    if (selection.taken[e]! >= input.allow[e]!) return 'upper_quota'
    return selection.taken[e]! >= selection.cap[e]! ? 'environment_cap' : 'lower_quota'
  }
  if (similarity > 0 && scoreOf(scores, i, 0, quota) >= threshold) return 'similarity'
  const kept = 1 - scores.similarity * similarity
  const fresh = (scores.base[i]! - scores.recency[i]!) * kept * scores.worth[i]!
  if (scores.recency[i]! < 0 && fresh >= threshold) return 'recency'
  const free = scores.base[i]! * kept * scores.trust[i]!
  return scores.worth[i]! < scores.trust[i]! && free >= threshold ? 'cost' : 'score'
}

/** Batches until the recency penalty alone no longer keeps it out, null = not foreseen. */
function recencyWait(ground: Ground, now: InForce, proposal: Proposal, i: number, similarity: number): number | null {
  const { scores } = proposal.input
  const { clock } = ground.state.totals
  const age = clock + 1 - ground.state.tasks.lastClock[i]!
  const before = scores.base[i]! - scores.recency[i]!
  for (let k = 1; k <= LONGEST_RECENCY; k++) {
    const later = before * (1 - now.weights.recency * recencyShare(age + k))
    if (later * (1 - scores.similarity * similarity) * scores.worth[i]! >= thresholdOf(proposal)) return k
  }
  return null
}

/** The six closest, best score first. Empty where scores decide nothing. */
export function leftOut(ground: Ground, now: InForce, proposal: Proposal): RunnerUp[] {
  const { input, selection } = proposal
  const { scores } = input
  if (!selection.chosen.some(({ slot }) => slot === 'score')) return []
  const n = input.environmentOf.length
  const potential = new Float64Array(n)
  const free: number[] = []
  const blocked: number[] = []
  for (let i = 0; i < n; i++) {
    if (selection.inBatch[i] === 1) continue
    potential[i] = scoreOf(scores, i, 0, 0)
    if (input.blocked[i] === BLOCKED.free) free.push(i)
    else blocked.push(i)
  }
  const threshold = thresholdOf(proposal)
  const first = (ids: number[], count: number) => heapFirst(Int32Array.from(ids), potential, input.tie, count)
  const looked = [...first(free, LOOKED_AT.free), ...first(blocked, LOOKED_AT.blocked)]
  const entries = looked.map((i): RunnerUp => {
    const { similarity, like } = selection.similarityTo(i)
    const score = scoreOf(scores, i, similarity, 0)
    const rule = ruleOf(proposal, i, score, similarity)
    const recency = rule === 'recency' ? recencyWait(ground, now, proposal, i, similarity) : null
    return {
      task: i,
      score,
      terms: termsOf(scores, i, similarity, 0),
      margin: threshold - score,
      rule,
      like: like >= 0 ? like : null,
      similarity: like >= 0 ? similarity : null,
      wait: rule === 'waiting' ? Math.ceil(waitOf(ground.state, i) - 1e-9) : recency,
    }
  })
  entries.sort((a, b) => b.score - a.score || input.tie[b.task]! - input.tie[a.task]! || a.task - b.task)
  return varied(entries, input.environmentOf)
}

function varied(entries: RunnerUp[], environmentOf: Int32Array): RunnerUp[] {
  const seen = new Map<string, number>()
  const kept: RunnerUp[] = []
  for (const entry of entries) {
    if (kept.length >= LISTED) break
    const { rule, task } = entry
    const passing = rule === 'leased' || rule === 'waiting'
    const kind = passing || rule === 'environment_cap' ? rule : `${rule} ${environmentOf[task]}`
    const most = passing ? 1 : rule === 'score' ? LISTED : SAME_RULE
    const count = seen.get(kind) ?? 0
    if (count >= most) continue
    seen.set(kind, count + 1)
    kept.push(entry)
  }
  return kept
}
