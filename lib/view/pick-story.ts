/* Owns the story of one pick for Help: five pictures out of one batch and its evidence.
   Must never know how they are drawn. Invariant: every number is of one pick of one batch, or all are the marked example's. */
import type { BatchDetail, GroupResult, PickView, SharesView, TermsView } from '@/lib/contract/batch'
import type { ContributionView, EvidenceView } from '@/lib/contract/evidence'
import { roundToSum } from './sum-rounding'

export interface StoryGroup {
  key: string
  /** normalised value of each trusted rollout, 0 to 1, in the order reported */
  outcomes: number[]
}

export interface StoryNeighbour {
  key: string
  kind: 'within' | 'cross'
  hue: number | null
  /** part of the predicted variance, signed */
  share: number
}

export interface StoryTerm {
  name: keyof TermsView
  /** rounded so that the written terms sum to the written score */
  value: number
}

export interface PickStory {
  /** null: these are example numbers */
  source: { run: string; runName: string; batch: number; task: string } | null
  task: string
  hue: number | null
  groupSize: number
  groups: StoryGroup[]
  neighbours: StoryNeighbour[]
  shares: SharesView
  ability: number
  predictedVariance: number
  terms: StoryTerm[]
  score: number
  /** environment hue of each pick in the order chosen, and which of them this one is */
  picks: { hues: (number | null)[]; at: number; size: number }
  result: GroupResult | null
}

const GROUPS = 4
const NEIGHBOURS = 6
/** Picks that are drawn as cells. */
export const STORY_CELLS = 64
const ALWAYS = ['exploitation', 'coverage', 'quota', 'similarity', 'recency'] as const
const SOMETIMES = ['override', 'cost'] as const

/** The pick that shows most: chosen by its score, with evidence of as many kinds as there are, then the highest variance. Null without picks. */
export function tellingPick(batch: Pick<BatchDetail, 'pickList'>): PickView | null {
  const rank = (pick: PickView) => {
    const { own, within, cross } = pick.prediction.shares
    const kinds = [own, within, cross].filter((share) => Math.abs(share) > 1e-3).length
    const variance = Number.isFinite(pick.prediction.predictedVariance) ? pick.prediction.predictedVariance : 0
    return (pick.slot === 'score' ? 100 : 0) + kinds * 10 + variance
  }
  let best: PickView | null = null
  for (const pick of batch.pickList) if (best === null || rank(pick) > rank(best)) best = pick
  return best
}

/** Written with two decimals; the terms that are always shown, and the others where two decimals show them. */
export function storyTerms(terms: TermsView, score: number): StoryTerm[] {
  const names = [...ALWAYS, ...SOMETIMES.filter((name) => Math.abs(terms[name]) >= 0.005)]
  const values = roundToSum(
    names.map((name) => terms[name]),
    score,
    2,
  )
  return names.map((name, i) => ({ name, value: values[i] ?? 0 }))
}

function groupsOf(contributions: readonly ContributionView[]): StoryGroup[] {
  const own = contributions.filter((one) => one.kind === 'own')
  const others = contributions.filter((one) => one.kind !== 'own').sort((a, b) => Math.abs(b.share) - Math.abs(a.share))
  return [...own, ...others]
    .flatMap((one) => {
      const last = one.groups.filter((group) => group.outcomes.length > 0).sort(newestFirst)[0]
      return last === undefined ? [] : [{ key: one.task.key, outcomes: last.outcomes }]
    })
    .slice(0, GROUPS)
}

const newestFirst = (a: { policyVersion: number }, b: { policyVersion: number }) => b.policyVersion - a.policyVersion

/** The strongest neighbours, of both kinds where there are both. */
function neighboursOf(contributions: readonly ContributionView[]): StoryNeighbour[] {
  const strongest = (kind: 'within' | 'cross') =>
    contributions
      .filter((one) => one.kind === kind && Number.isFinite(one.share))
      .sort((a, b) => Math.abs(b.share) - Math.abs(a.share))
  const within = strongest('within')
  const cross = strongest('cross')
  const few = Math.min(cross.length, Math.max(2, NEIGHBOURS - within.length))
  return [...within.slice(0, NEIGHBOURS - few), ...cross.slice(0, few)].map((one) => ({
    key: one.task.key,
    kind: one.kind === 'cross' ? 'cross' : 'within',
    hue: one.environment.hue,
    share: one.share,
  }))
}

/** `evidence` is that of the pick's task as of the batch; null where it could not be read. */
export function pickStory(
  run: { id: string; name: string },
  batch: BatchDetail,
  pick: PickView,
  evidence: EvidenceView | null,
): PickStory {
  const from = Math.max(0, Math.min(pick.position - STORY_CELLS, batch.pickList.length - STORY_CELLS))
  const cells = batch.pickList.slice(from, from + STORY_CELLS)
  return {
    source: { run: run.id, runName: run.name, batch: batch.index, task: pick.task.id },
    task: pick.task.key,
    hue: pick.environment.hue,
    groupSize: pick.groupSize,
    groups: groupsOf(evidence?.contributions ?? []),
    neighbours: neighboursOf(evidence?.contributions ?? []),
    shares: pick.prediction.shares,
    ability: pick.prediction.ability,
    predictedVariance: pick.prediction.predictedVariance,
    terms: storyTerms(pick.terms, pick.score),
    score: pick.score,
    picks: {
      hues: cells.map((cell) => cell.environment.hue),
      at: cells.findIndex((cell) => cell.lease === pick.lease),
      size: batch.pickList.length,
    },
    result: pick.result,
  }
}

const solved = (text: string) => [...text].map((mark) => (mark === '1' ? 1 : 0))

/** Example numbers for a server without a batch; the page says that they are. */
export const EXAMPLE_STORY: PickStory = {
  source: null,
  task: 'airline_27',
  hue: 1,
  groupSize: 8,
  groups: [
    { key: 'airline_27', outcomes: solved('10110010') },
    { key: 'airline_31', outcomes: solved('11001010') },
    { key: 'message_31', outcomes: solved('11111111') },
    { key: 'retail_41', outcomes: solved('00000100') },
  ],
  neighbours: [
    { key: 'airline_31', kind: 'within', hue: 1, share: 0.052 },
    { key: 'airline_05', kind: 'within', hue: 1, share: 0.03 },
    { key: 'airline_12', kind: 'within', hue: 1, share: 0.021 },
    { key: 'airline_40', kind: 'within', hue: 1, share: 0.016 },
    { key: 'retail_41', kind: 'cross', hue: 2, share: 0.021 },
    { key: 'travel_103', kind: 'cross', hue: 5, share: 0.015 },
  ],
  shares: { own: 0.047, within: 0.102, cross: 0.041, prior: 0.024 },
  ability: 0.42,
  predictedVariance: 0.214,
  terms: [
    { name: 'exploitation', value: 0.51 },
    { name: 'coverage', value: 0.12 },
    { name: 'quota', value: 0.04 },
    { name: 'similarity', value: 0 },
    { name: 'recency', value: 0 },
  ],
  score: 0.67,
  picks: {
    hues: Array.from({ length: STORY_CELLS }, (_, i) => (i === 0 ? 1 : ((i * 7) % 9) + 1)),
    at: 0,
    size: STORY_CELLS,
  },
  result: null,
}
