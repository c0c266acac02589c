/** A small graph of contract shape: three islands A (0-3), B (4-6), C (7), with two within and four cross edges. */
import type { EvidenceView } from '@/lib/contract/evidence'
import type { GraphView } from '@/lib/contract/graph'
import type { EnvironmentRef } from '@/lib/contract/task-set'

const refs: EnvironmentRef[] = [
  { id: 'e0', key: 'airline', name: 'airline', code: 'AIR', hue: 1 },
  { id: 'e1', key: 'retail', name: 'retail', code: 'RET', hue: 2 },
  { id: 'e2', key: 'sql', name: 'SQL tools', code: 'SQL', hue: null },
]
const islandOf = [0, 0, 0, 0, 1, 1, 1, 2]
const variance = [0.25, 0.2, 0.1, 0, 0.05, 0.05, 0, 0]
const edges = [
  { source: 0, target: 1, kind: 'within' as const, weight: 0.9 },
  { source: 1, target: 2, kind: 'within' as const, weight: 0.4 },
  { source: 0, target: 4, kind: 'cross' as const, weight: 0.8 },
  { source: 4, target: 7, kind: 'cross' as const, weight: 0.7 },
  { source: 2, target: 5, kind: 'cross' as const, weight: 0.3 },
  { source: 1, target: 4, kind: 'cross' as const, weight: 0.6 },
]

export function smallGraph(): GraphView {
  return {
    version: 1,
    batch: 9,
    predictionsOf: null,
    level: 'tasks',
    total: 8,
    environments: refs.map((ref, i) => ({
      ...ref,
      tasks: islandOf.filter((island) => island === i).length,
      x: 100 * i,
      y: 0,
      radius: 20,
      variance: variance.filter((_, task) => islandOf[task] === i).reduce((sum, value) => sum + value, 0),
      held: 0,
      picks: i === 0 ? 1 : 0,
      tried: islandOf.filter((island) => island === i).length,
    })),
    nodes: {
      id: islandOf.map((_, task) => `t${task}`),
      key: islandOf.map((island, task) => `${refs[island]!.key}_${task}`),
      environment: islandOf,
      x: islandOf.map((island, task) => 100 * island + task),
      y: islandOf.map(() => 0),
      predictedVariance: variance,
      ability: islandOf.map(() => 0.5),
      groups: islandOf.map(() => 1),
      picked: islandOf.map((_, task) => task === 1),
    },
    edges: {
      source: edges.map((edge) => edge.source),
      target: edges.map((edge) => edge.target),
      kind: edges.map((edge) => edge.kind),
      weight: edges.map((edge) => edge.weight),
    },
    pairs: { a: [0, 1], b: [1, 2], edges: [3, 1], weight: [0.5667, 0.7] },
    counts: { within: 2, cross: 4 },
  }
}

/** Task 0 predicted at 0.2: 40 % own, 30 % within, 20 % cross, 10 % prior; with what the server did not list. */
export function smallEvidence(): EvidenceView {
  const one = (task: number, kind: 'own' | 'within' | 'cross', share: number) => ({
    environment: refs[islandOf[task]!]!,
    task: { id: `t${task}`, key: `${refs[islandOf[task]!]!.key}_${task}`, environment: refs[islandOf[task]!]! },
    kind,
    share,
    edge: kind === 'own' ? null : 0.5,
    through: [],
    rollouts: 8,
    groups: [
      {
        policyVersion: 3,
        size: 8,
        mean: 0.5,
        variance: 0.28,
        weight: 7,
        share,
        lease: 'l1',
        group: null,
        older: false,
        outcomes: [],
      },
    ],
  })
  const shares = { own: 0.08, within: 0.06, cross: 0.04, prior: 0.02 }
  return {
    environment: refs[0]!,
    task: one(0, 'own', 0).task,
    text: null,
    batch: 9,
    prediction: {
      ability: 0.5,
      predictedVariance: 0.2,
      deviation: 0.4,
      spread: 0.03,
      informative: 0.9,
      alive: 1,
      shares,
    },
    shares,
    contributions: [
      one(0, 'own', 0.07),
      one(1, 'within', 0.052),
      one(2, 'within', 0.003),
      one(4, 'cross', 0.05),
      one(7, 'cross', -0.012),
    ],
    edges: [],
    rest: { own: 0.01, within: 0.005, cross: 0.002 },
    restTasks: { within: 3, cross: 1 },
  }
}
