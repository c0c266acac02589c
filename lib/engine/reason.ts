/**
 * One plain sentence for a pick, at most 66 characters, from the facts of its decision record.
 * Owns: which fact is told. Must never know: state, field. Names are passed in, so a run of any language of keys reads well.
 * Invariant: tells only what the facts hold; one reason a sentence, the largest term; of a value the largest share of its evidence.
 * A neighbour is named only where it raises the prediction and its kind holds most of it, a wait only where coverage decided.
 */
import type { PickFacts, Shares } from './decision'
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

/** The kind of evidence that holds most of the prediction; null where shares were not told apart. */
function mostly(shares: Shares | null): keyof Shares | null {
  if (shares === null) return null
  let most: keyof Shares = 'own'
  for (const kind of ['within', 'cross', 'prior'] as const) if (shares[kind] > shares[most]) most = kind
  return most
}

/** The neighbour to name: one that raises the prediction, of the kind that holds most of it. */
function named(facts: PickFacts, names: Names, most: keyof Shares | null) {
  const { neighbour } = facts
  if (neighbour === null || names.neighbour === null || !(neighbour.share > 0) || neighbour.kind !== most) return null
  return { key: names.neighbour, kind: neighbour.kind, stands: percent(neighbour.ability) }
}

function coldReason(facts: PickFacts, names: Names, shares: Shares | null): string[] {
  const rarely = facts.batchesSincePattern === null || facts.batchesSincePattern >= 3
  if (facts.largestTerm === 'coverage' && rarely) return patternReason(facts, names)
  if (shares === null) return ['No group yet.']
  if (facts.neighbour === null)
    return [`No group yet, and none near it in ${names.environment}.`, 'No group yet, and none near it.']
  const most = mostly(shares)
  const near = named(facts, names, most)
  if (near !== null) {
    const where = near.kind === 'within' ? 'which shares its structure' : 'alike elsewhere'
    return [
      `No group yet; ${near.key}, ${where}, stands at ${near.stands}.`,
      `No group yet; ${near.key}, its nearest, stands at ${near.stands}.`,
      `No group yet; its nearest neighbour stands at ${near.stands}.`,
    ]
  }
  if (most === 'cross') return ['No group yet; tasks alike in other environments speak for it.']
  if (most === 'within')
    return [
      `No group yet; what ${names.environment} showed speaks for it.`,
      'No group yet; what its environment showed speaks for it.',
    ]
  return ['No group yet; the prior still says most.']
}

function warmReason(facts: PickFacts, names: Names, shares: Shares | null): string[] {
  const { lastGroup: last, batchesSincePick: since } = facts
  if (last === null) return coldReason(facts, names, shares)
  const told = `${outcome(last)} at policy ${last.policyVersion}`
  const lead = capital(outcome(last))
  const full = capital(told)
  if (since !== null && since >= 6 && facts.largestTerm === 'coverage')
    return [`${full}, not picked for ${batches(since)}.`, `${lead}, not picked for ${batches(since)}.`]
  const most = mostly(shares)
  const near = named(facts, names, most)
  if (near !== null)
    return [
      `${full}; ${near.key} near it stands at ${near.stands}.`,
      `${lead}; ${near.key} near it stands at ${near.stands}.`,
      `${lead}; its nearest neighbour stands at ${near.stands}.`,
    ]
  if (most === 'within')
    return [
      `What ${names.environment} showed speaks for it; ${told}.`,
      `Its environment speaks for it; ${outcome(last)}.`,
    ]
  if (most === 'cross')
    return [`Tasks alike elsewhere speak for it; ${told}.`, `Tasks alike elsewhere speak for it; ${outcome(last)}.`]
  if (most === 'prior') return [`The prior still says most; ${told}.`, `The prior still says most; ${outcome(last)}.`]
  if (last.mean > 0 && last.mean < 1)
    return [`${full}: the policy is split on it.`, `${lead}: the policy is split on it.`]
  return [`${full}; uncertain enough to return.`, `${lead}; uncertain enough to return.`]
}

function cheapReason({ lastGroup: last }: PickFacts, cost: number): string[] {
  const lead = `Costs ${cost.toFixed(2)} of the mean rollout`
  return last === null ? [`${lead}; no group yet.`] : [`${lead}; last ${outcome(last)}.`, `${lead}.`]
}

/** What a scored pick was chosen by: the field, averages in its place, or a control's own rule. */
export type Basis = 'field' | 'averages' | 'env-then-task' | 'env-bandit'

function scoredReason(basis: Basis, facts: PickFacts, names: Names, shares: Shares | null): string[] {
  const last = facts.lastGroup === null ? 'no group yet' : `last ${outcome(facts.lastGroup)}`
  switch (basis) {
    case 'field':
      return facts.groups === 0 ? coldReason(facts, names, shares) : warmReason(facts, names, shares)
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

/** `shares`: of the predicted variance, null where they were not told apart. */
export function reasonOf(
  slot: Slot,
  facts: PickFacts,
  names: Names,
  shares: Shares | null,
  basis: Basis = 'field',
): string {
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
  return fitting(scoredReason(basis, facts, names, shares))
}
