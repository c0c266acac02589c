/**
 * Contract objects for tests of views and pages: small builders with plain defaults, and one story (airline_27) over all of them.
 * Owns no expectation. Invariant: terms sum to the score and shares to the predicted variance, as the contract says.
 */
import type {
  BatchDetail,
  BatchSummary,
  GroupResult,
  LeftOutView,
  PickView,
  PredictionView,
  SharesView,
  TermsView,
} from '@/lib/contract/batch'
import type { ContributionView, EvidenceView } from '@/lib/contract/evidence'
import type { Override, Steering } from '@/lib/contract/steering'
import type { EnvironmentRef, TaskRef } from '@/lib/contract/task-set'

const ENVIRONMENTS: [string, string][] = [
  ['AIR', 'airline'],
  ['RET', 'retail'],
  ['GFS', 'GorillaFileSystem'],
  ['TRD', 'TradingBot'],
  ['TRV', 'TravelAPI'],
  ['VEH', 'VehicleControl'],
  ['TIC', 'TicketAPI'],
  ['MSG', 'MessageAPI'],
  ['ACT', 'multi_turn'],
  ['ACS', 'multi_step'],
]

export const environments: EnvironmentRef[] = ENVIRONMENTS.map(([code, name], i) => ({
  id: `e${i}`,
  key: name,
  name,
  code,
  hue: i + 1,
}))

export function environment(code: string): EnvironmentRef {
  const found = environments.find((candidate) => candidate.code === code)
  if (found === undefined) throw new Error(`no environment ${code} in the fixtures`)
  return found
}

export function task(key: string, code = 'AIR'): TaskRef {
  return { id: `t-${key}`, key, environment: environment(code) }
}

export function terms(parts: Partial<TermsView> = {}): TermsView {
  return { exploitation: 0, coverage: 0, recency: 0, similarity: 0, quota: 0, override: 0, cost: 0, ...parts }
}

export function prediction(parts: Partial<PredictionView> = {}): PredictionView {
  const shares: SharesView = parts.shares ?? { own: 0.074, within: 0.087, cross: 0.036, prior: 0.017 }
  return {
    ability: 0.5,
    predictedVariance: shares.own + shares.within + shares.cross + shares.prior,
    deviation: 0.4,
    spread: 0.031,
    informative: 0.93,
    alive: 1,
    shares,
    ...parts,
  }
}

/** "10?x....": 1 solved, 0 failed, ? still out, x untrusted; a digit after a dot is graded. */
export function group(marks: string, parts: Partial<GroupResult> = {}): GroupResult {
  const squares = [...marks].map((mark, i): GroupResult['squares'][number] => {
    if (mark === '?') return { state: 'out', fill: null, rollout: null }
    if (mark === 'x') return { state: 'untrusted', fill: null, rollout: `r${i}` }
    return { state: 'trusted', fill: mark === '1' ? 1 : 0, rollout: `r${i}` }
  })
  const fills = squares.flatMap(({ fill }) => (fill === null ? [] : [fill]))
  const out = squares.filter(({ state }) => state === 'out').length
  const n = fills.length
  const mean = n === 0 ? null : fills.reduce((sum, fill) => sum + fill, 0) / n
  const variance = n < 2 || mean === null ? null : fills.reduce((sum, fill) => sum + (fill - mean) ** 2, 0) / (n - 1)
  return {
    state: out === squares.length ? 'out' : out > 0 ? 'partial' : 'complete',
    size: squares.length,
    group: null,
    returned: squares.length - out,
    trusted: n,
    mean,
    variance,
    informative: variance === null ? null : variance > 0,
    squares,
    stages: null,
    ...parts,
  }
}

export function pick(position: number, key: string, code: string, parts: Partial<PickView> = {}): PickView {
  const own = parts.terms ?? terms({ exploitation: 0.5, coverage: 0.1 })
  return {
    position,
    lease: `l${position}`,
    environment: environment(code),
    task: task(key, code),
    groupSize: 8,
    slot: 'score',
    score: Object.values(own).reduce((sum, term) => sum + term, 0),
    terms: own,
    prediction: prediction(),
    reason: 'Solved 4 of its last 8; its nearest neighbours split alike.',
    runnerUp: null,
    more: false,
    result: group('????????'),
    ...parts,
  }
}

export function leftOut(key: string, code: string, parts: Partial<LeftOutView> = {}): LeftOutView {
  return {
    task: task(key, code),
    score: 0.3,
    terms: terms({ exploitation: 0.3 }),
    margin: 0.004,
    rule: 'score',
    sentence: 'Score 0.004 below the last pick',
    like: null,
    similarity: null,
    wait: null,
    change: null,
    ...parts,
  }
}

export function summary(index: number, parts: Partial<BatchSummary> = {}): BatchSummary {
  return {
    id: `b${index}`,
    index,
    at: '2026-11-29T12:00:00.000Z',
    policyVersion: index - 1,
    size: 64,
    groupSize: 8,
    stages: null,
    shares: null,
    picks: 64,
    back: 64,
    trusted: 64,
    informative: 45,
    informativeShare: 45 / 64,
    fallback: { rung: 'full', why: null },
    superseded: false,
    ...parts,
  }
}

export function batchDetail(picks: PickView[], parts: Partial<BatchDetail> = {}): BatchDetail {
  return {
    ...summary(65, { picks: picks.length, size: picks.length }),
    pickList: picks,
    leftOut: [],
    quotas: [],
    eligible: 741,
    tasks: 883,
    notes: [],
    expectedInformative: picks.reduce((sum, one) => sum + one.prediction.informative, 0),
    insideSimilarity: { mean: 0.17, largest: 0.61 },
    overrides: [],
    ...parts,
  }
}

export function override(parts: Partial<Override> = {}): Override {
  return {
    id: 'o1',
    number: 1,
    kind: 'weight',
    letter: 'A',
    sentence: 'coverage weight',
    setting: 'weight:coverage',
    environment: null,
    task: null,
    from: 18,
    batches: null,
    until: null,
    batchesLeft: null,
    inForce: true,
    superseded: false,
    before: '0.60',
    after: '0.80',
    author: 'mira',
    note: 'retail repeats',
    at: '2026-11-29T12:00:00.000Z',
    undoneBy: null,
    undoes: null,
    laterBy: null,
    backTo: '0.60',
    ...parts,
  }
}

export function steering(parts: Partial<Steering> = {}): Steering {
  const weight = (name: Steering['weights'][number]['name'], now: number, high: number) => ({
    name,
    now,
    low: 0,
    high,
    step: 0.05,
    default: 1,
  })
  return {
    cursor: 100,
    nextBatch: 66,
    weights: [
      weight('exploitation', 1, 2),
      weight('coverage', 0.8, 2),
      weight('similarity', 0.35, 1),
      weight('recency', 0.5, 1),
      weight('headroom', 1, 3),
    ],
    uniformShare: 0.25,
    groupSizing: 'fixed',
    quotas: environments.map((one, i) => ({
      environment: one,
      lower: 0.06,
      upper: i === 4 ? 0.17 : 0.2,
      used: i === 4 ? 108 : 70,
      window: 640,
      isSet: true,
    })),
    windowBatches: 10,
    inForce: [],
    history: [],
    ...parts,
  }
}

export function contribution(
  kind: ContributionView['kind'],
  key: string,
  code: string,
  share: number,
  groups: [policy: number, marks: string, share: number, weight: number][] = [],
  edge: number | null = null,
): ContributionView {
  return {
    environment: environment(code),
    task: task(key, code),
    kind,
    share,
    edge,
    through: [],
    rollouts: groups.reduce((sum, [, , , weight]) => sum + weight, 0),
    groups: groups.map(([policyVersion, marks, part, weight]) => {
      const outcomes = [...marks].map(Number)
      const mean = outcomes.reduce((sum, value) => sum + value, 0) / outcomes.length
      return {
        policyVersion,
        size: outcomes.length,
        mean,
        variance: outcomes.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (outcomes.length - 1),
        weight,
        share: part,
        lease: null,
        group: null,
        older: false,
        outcomes,
      }
    }),
  }
}

/** The evidence behind airline_27. */
export function evidence(parts: Partial<EvidenceView> = {}): EvidenceView {
  const shares: SharesView = parts.shares ?? { own: 0.0742, within: 0.087, cross: 0.0361, prior: 0.0167 }
  return {
    environment: environment('AIR'),
    task: task('airline_27'),
    text: 'tau-bench airline: change a cabin class, then refund a bag',
    batch: 65,
    prediction: prediction({ shares }),
    shares,
    contributions: [
      contribution('own', 'airline_27', 'AIR', 0.0742, [
        [60, '10110010', 0.0518, 7.3],
        [51, '00100100', 0.0224, 5.3],
      ]),
      contribution(
        'within',
        'airline_31',
        'AIR',
        0.0311,
        [
          [62, '11010010', 0.0201, 4.4],
          [55, '01000100', 0.011, 2.7],
        ],
        0.84,
      ),
      contribution('within', 'airline_12', 'AIR', 0.024, [[61, '10110010', 0.024, 6.4]], 0.79),
      contribution('within', 'airline_05', 'AIR', 0.0169, [[58, '10110010', 0.0169, 5.8]], 0.71),
      contribution('within', 'airline_44', 'AIR', 0.009, [[57, '10110010', 0.009, 7.7]], 0.52),
      contribution('cross', 'retail_41', 'RET', 0.015, [[58, '10010010', 0.015, 6.9]], 0.66),
      contribution('cross', 'travel_103', 'TRV', 0.011, [[59, '10010011', 0.011, 7.2]], 0.58),
      contribution('cross', 'multi_turn_22', 'ACT', 0.006, [[60, '10010011', 0.006, 4.1]], null),
    ],
    edges: [],
    rest: { own: 0, within: 0.006, cross: 0.0041 },
    restTasks: { within: 2, cross: 2 },
    ...parts,
  }
}
