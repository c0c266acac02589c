/**
 * From a proposal to the decision records of a batch: predictions, shares, facts, reasons, runners-up, quota use.
 * Owns: putting the record together. Must never know: how the choice was made beyond its record.
 * Invariant: terms sum to the score, shares to the predicted variance (1e-6). Pure. Cost: O(N) and the evidence of the picks.
 */
import { smallestChanges } from './counterfactual'
import type { BatchDecision, LeftOut, PickDecision, PickFacts, QuotaUse } from './decision'
import type { EvidenceSummary } from './evidence'
import { groupSizesOf, sizeNotes } from './group-sizes'
import type { Reading } from './ladder'
import { leftOut } from './left-out'
import { type Models, predictorRecords } from './models'
import { notesOf } from './notes'
import type { InForce } from './overrides'
import { type Ground, type Proposal, propose } from './proposal'
import { type Basis, reasonOf } from './reason'
import type { Chosen } from './select'
import type { EngineTaskSet } from './task-set'
import { largestTerm, termsOf } from './terms'

export interface Deciding {
  set: EngineTaskSet
  models: Models
  ground: Ground
  now: InForce
  reading: Reading
  patternNames: string[]
  /** whether runners-up, their changes and the evidence of the picks are looked for */
  explain: boolean
  /** evidence of each of these tasks */
  summaries: (tasks: readonly number[]) => EvidenceSummary[]
}

/** Choices that counterfactuals may cost in one batch, fewer on large sets. */
const CHOICES = { most: 64, tasks: 160_000 }
/** similarity inside a batch is measured on its first picks, so that a batch of thousands stays quick */
const MEASURED = 256

/** Shares where no field answered or nobody asked: not told apart. */
function priorOnly(predictedVariance: number): EvidenceSummary {
  return { shares: { own: 0, within: 0, cross: 0, prior: predictedVariance }, neighbour: null, supporter: null }
}

function factsOf(
  deciding: Deciding,
  chosen: Chosen,
  proposal: Proposal,
  near: EvidenceSummary['neighbour'],
): PickFacts {
  const { ground, reading } = deciding
  const { tasks, patterns, totals } = ground.state
  const i = chosen.task
  const pattern = ground.pattern[i]!
  const since = (batch: number) => (batch > 0 ? totals.batch + 1 - batch : null)
  return {
    lastGroup:
      tasks.groups[i]! > 0
        ? {
            policyVersion: tasks.lastVersion[i]!,
            mean: tasks.lastMean[i]!,
            size: tasks.lastSize[i]!,
            solved: tasks.lastHigh[i]!,
            binary: tasks.lastBinary[i] === 1,
          }
        : null,
    groups: tasks.groups[i]!,
    batchesSincePick: since(tasks.lastBatch[i]!),
    neighbour: near === null ? null : { ...near, ability: reading.ability[near.task]! },
    largestTerm: largestTerm(termsOf(proposal.input.scores, i, chosen.similarity, chosen.quota)),
    pattern,
    batchesSincePattern: since(patterns.lastBatch[pattern]!),
    owed: chosen.owed,
    relativeCost: deciding.now.weights.cost > 0 ? (proposal.standing.units.cost?.[i] ?? null) : null,
  }
}

/** The closest runner-up that this pick kept out: one that is like it or of its environment's quota, else the best that was free. */
function runnerUpOf(chosen: Chosen, entries: LeftOut[], environmentOf: Int32Array): number | null {
  if (chosen.slot === 'pin') return null
  const e = environmentOf[chosen.task]!
  const direct = entries.findIndex(
    ({ rule, like, task }) =>
      (rule === 'similarity' && like === chosen.task) ||
      ((rule === 'upper_quota' || rule === 'environment_cap' || rule === 'concurrency') && environmentOf[task] === e),
  )
  if (direct >= 0) return direct
  const free = entries.findIndex(
    ({ rule }) =>
      rule === 'score' || rule === 'similarity' || rule === 'recency' || rule === 'cost' || rule === 'lower_quota',
  )
  return free >= 0 ? free : null
}

function basisOf({ ground, reading }: Deciding): Basis {
  const { scheduler } = ground.state.config
  if (scheduler === 'env-bandit') return 'env-bandit'
  if (scheduler === 'env-then-task' || scheduler === 'env-then-task-protected') return 'env-then-task'
  return reading.rung === 'full' ? 'field' : 'averages'
}

function pickOf(
  deciding: Deciding,
  proposal: Proposal,
  chosen: Chosen,
  groupSize: number,
  summary: EvidenceSummary,
  entries: LeftOut[],
): PickDecision {
  const { set, ground, reading, patternNames } = deciding
  const i = chosen.task
  const facts = factsOf(deciding, chosen, proposal, summary.supporter ?? summary.neighbour)
  const told = deciding.explain && reading.rung === 'full'
  const names = {
    task: set.tasks[i]!.key,
    environment: set.environments[ground.environmentOf[i]!]!.key,
    pattern: patternNames[facts.pattern] ?? '',
    neighbour: facts.neighbour === null ? null : set.tasks[facts.neighbour.task]!.key,
  }
  return {
    task: i,
    slot: chosen.slot,
    groupSize,
    score: chosen.score,
    terms: termsOf(proposal.input.scores, i, chosen.similarity, chosen.quota),
    prediction: reading.predictionOf(i, groupSize),
    shares: summary.shares,
    facts,
    reason: reasonOf(chosen.slot, facts, names, told ? summary.shares : null, basisOf(deciding)),
    runnerUp: runnerUpOf(chosen, entries, ground.environmentOf),
  }
}

/** Choosing again under other settings, within the budget. */
function choiceAgain(deciding: Deciding, first: Proposal): (now: InForce) => Proposal | null {
  const { ground, now, reading } = deciding
  let left = Math.min(CHOICES.most, Math.max(6, Math.floor(CHOICES.tasks / Math.max(1, ground.environmentOf.length))))
  return (other) => {
    if (left === 0) return null
    left--
    const same = other.banned === now.banned && other.pause === now.pause
    return propose(ground, other, reading, same ? first.standing : undefined)
  }
}

function quotaUse(now: InForce, proposal: Proposal, size: number): QuotaUse[] {
  const { plan, selection, input } = proposal
  return now.quotas.map(({ lower, upper }, environment) => {
    const used = plan.used[environment]!
    const picks = selection.taken[environment]!
    const window = plan.span[environment]!
    const share = (used + picks) / Math.max(1, window + size)
    let state: QuotaUse['state'] = 'ok'
    if (picks > input.allow[environment]!) state = 'relaxed'
    else if (share > upper + 1e-9 && used + picks > Math.ceil(upper * (window + size) - 1e-9)) state = 'over'
    else if (picks < input.need[environment]!) state = 'under'
    else if (upper < 1 && share >= upper - 0.005) state = 'near'
    return { environment, lower, upper, used, window, picks, state }
  })
}

const READING: readonly Chosen['slot'][] = ['pin', 'score', 'uniform']

/** Pins, then scored picks as they were chosen, then uniform ones: what was decided comes before what was drawn. */
function inReadingOrder(chosen: readonly Chosen[]): Chosen[] {
  return READING.flatMap((slot) => chosen.filter((one) => one.slot === slot))
}

function insideSimilarity(ground: Ground, chosen: Chosen[]): { mean: number; largest: number } {
  const first = chosen.slice(0, MEASURED)
  let sum = 0
  let pairs = 0
  let largest = 0
  first.forEach(({ task }, k) => {
    for (const other of first.slice(0, k)) {
      const similarity = ground.similarity(task, other.task)
      sum += similarity
      pairs++
      largest = Math.max(largest, similarity)
    }
  })
  return { mean: pairs > 0 ? sum / pairs : 0, largest }
}

export function decide(deciding: Deciding): BatchDecision {
  const { set, models, ground, now, reading } = deciding
  const proposal = propose(ground, now, reading)
  const chosen = inReadingOrder(proposal.selection.chosen)
  const runners = deciding.explain ? leftOut(ground, now, proposal) : []
  const changes = smallestChanges(ground, now, proposal, runners, choiceAgain(deciding, proposal))
  const entries = runners.map((entry, k): LeftOut => ({ ...entry, change: changes[k] ?? null }))
  const summaries =
    reading.rung === 'full' && deciding.explain
      ? deciding.summaries(chosen.map(({ task }) => task))
      : chosen.map(({ task }) => priorOnly(reading.predictedVariance[task]!))
  const sizes = groupSizesOf(ground, now, reading, proposal, chosen)
  const picks = chosen.map((one, k) => pickOf(deciding, proposal, one, sizes[k]!, summaries[k]!, entries))
  return {
    picks,
    leftOut: entries,
    fallback: { rung: reading.rung, why: reading.why },
    quotas: quotaUse(now, proposal, ground.size),
    eligible: proposal.standing.eligible,
    notes: [
      ...notesOf(ground, now, proposal, (e) => set.environments[e]!.key),
      ...sizeNotes(ground, now, chosen, sizes),
    ],
    expectedInformative: picks.reduce((sum, { prediction }) => sum + prediction.informative, 0),
    predictors: predictorRecords(models),
    insideSimilarity: insideSimilarity(ground, chosen),
    predictedVariance: Float32Array.from(reading.predictedVariance),
  }
}
