/**
 * One plain sentence for a pick, at most 66 characters, from the facts of its decision record.
 * Owns: which fact is told. Must never know: state, field. Names are passed in, so a run of any language of keys reads well.
 * Invariant: tells only what the facts hold; one reason a sentence, the largest term.
 */
import type { PickFacts } from './decision'
import type { Slot } from './log-entry'

export const REASON_LENGTH = 66

export interface Names {
  task: string
  environment: string
  pattern: string
  neighbour: string | null
}

const percent = (share: number) => `${Math.round(100 * share)} %`
const batches = (count: number) => (count === 1 ? '1 batch' : `${count} batches`)

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, Math.max(1, length - 1)).trimEnd()}…`
}

/** The first that fits, else the last one, cut. */
function fitting(sentences: string[]): string {
  return sentences.find((sentence) => sentence.length <= REASON_LENGTH) ?? cut(sentences.at(-1) ?? '', REASON_LENGTH)
}

function outcome(group: NonNullable<PickFacts['lastGroup']>): string {
  return group.binary ? `solved ${group.solved} of ${group.size}` : `mean ${group.mean.toFixed(2)} of ${group.size}`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function uniformReason(facts: PickFacts): string[] {
  const { lastGroup: last } = facts
  if (last === null) return ['Drawn uniformly: it has no group yet.']
  return [
    `Drawn uniformly: it was ${outcome(last)} at policy ${last.policyVersion}; still so?`,
    `Drawn uniformly: ${outcome(last)} at policy ${last.policyVersion}.`,
    `Drawn uniformly: ${outcome(last)}.`,
  ]
}

function patternReason(facts: PickFacts, names: Names): string[] {
  if (facts.batchesSincePattern === null)
    return [`First task of the pattern ${names.pattern} in this run.`, 'First task of its pattern in this run.']
  return [
    `First task of the pattern ${names.pattern} in ${batches(facts.batchesSincePattern)}.`,
    `First task of its pattern in ${batches(facts.batchesSincePattern)}.`,
  ]
}

function coldReason(facts: PickFacts, names: Names): string[] {
  const { neighbour } = facts
  const rarely = facts.batchesSincePattern === null || facts.batchesSincePattern >= 3
  if (facts.largestTerm === 'coverage' && rarely) return patternReason(facts, names)
  if (neighbour === null || names.neighbour === null)
    return [`No group yet, and none near it in ${names.environment}.`, 'No group yet, and none near it.']
  const stands = percent(neighbour.ability)
  const where = neighbour.kind === 'within' ? 'which shares its structure' : 'alike elsewhere'
  return [
    `No group yet; ${names.neighbour}, ${where}, stands at ${stands}.`,
    `No group yet; ${names.neighbour}, its nearest, stands at ${stands}.`,
    `No group yet; its nearest neighbour stands at ${stands}.`,
  ]
}

function warmReason(facts: PickFacts, names: Names): string[] {
  const { lastGroup: last, neighbour, batchesSincePick: since } = facts
  if (last === null) return coldReason(facts, names)
  const lead = capital(outcome(last))
  if (since !== null && since >= 6)
    return [
      `${lead} at policy ${last.policyVersion}, not picked for ${batches(since)}.`,
      `${lead}, not picked for ${batches(since)}.`,
    ]
  if (last.mean > 0 && last.mean < 1) {
    if (neighbour === null || names.neighbour === null)
      return [`${lead} at policy ${last.policyVersion}: the policy is split on it.`]
    return [
      `${lead} at policy ${last.policyVersion}; ${names.neighbour} near it stands at ${percent(neighbour.ability)}.`,
      `${lead}; ${names.neighbour} near it stands at ${percent(neighbour.ability)}.`,
      `${lead}; its nearest neighbour stands at ${percent(neighbour.ability)}.`,
    ]
  }
  return [
    `${lead} at policy ${last.policyVersion}; uncertain enough to return.`,
    `${lead}; uncertain enough to return.`,
  ]
}

function cheapReason({ lastGroup: last }: PickFacts, cost: number): string[] {
  const lead = `Costs ${cost.toFixed(2)} of the mean rollout`
  return last === null ? [`${lead}; no group yet.`] : [`${lead}; last ${outcome(last)}.`, `${lead}.`]
}

/** What a scored pick was chosen by: the field, averages in its place, or a control's own rule. */
export type Basis = 'field' | 'averages' | 'env-then-task' | 'env-bandit'

function scoredReason(basis: Basis, facts: PickFacts, names: Names): string[] {
  const last = facts.lastGroup === null ? 'no group yet' : `last ${outcome(facts.lastGroup)}`
  switch (basis) {
    case 'field':
      return facts.groups === 0 ? coldReason(facts, names) : warmReason(facts, names)
    case 'averages':
      return [`Chosen by averages while the field is out of order; ${last}.`, `Chosen by averages; ${last}.`]
    case 'env-then-task':
      return [
        `Best average of ${names.environment} and the task; ${last}.`,
        `Best average of environment and task; ${last}.`,
      ]
    case 'env-bandit':
      return [
        `Drawn in ${names.environment} by its informative share; ${last}.`,
        `Drawn by its environment's informative share; ${last}.`,
      ]
  }
}

export function reasonOf(slot: Slot, facts: PickFacts, names: Names, basis: Basis = 'field'): string {
  if (slot === 'pin') {
    const told = facts.lastGroup === null ? 'it has no group yet' : `last ${outcome(facts.lastGroup)}`
    return fitting([`Pinned by hand; ${told}.`])
  }
  if (slot === 'uniform') return fitting(uniformReason(facts))
  if (facts.owed || facts.largestTerm === 'quota')
    return fitting([
      `${names.environment} is below its lower quota; this is its best free task.`,
      'Its environment is below its lower quota; best free task there.',
    ])
  if (facts.largestTerm === 'cost' && facts.relativeCost !== null && facts.relativeCost < 1)
    return fitting(cheapReason(facts, facts.relativeCost))
  if (facts.largestTerm === 'override') return fitting([`Boosted by hand in ${names.environment}.`, 'Boosted by hand.'])
  return fitting(scoredReason(basis, facts, names))
}
