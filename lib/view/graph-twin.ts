/**
 * The tables that stand for the drawing: tasks of the whole or of a focus, and the parts of one prediction.
 * Must never know how a table is drawn. Invariant: the same selection as the drawing, whatever is on the canvas.
 */
import type { EvidenceView } from '@/lib/contract/evidence'
import type { GraphView } from '@/lib/contract/graph'
import { meanVariance } from './graph-circles'
import { drawnShares, type ShareKind } from './graph-evidence'
import type { Focus } from './graph-focus'
import { roundToSum } from './sum-rounding'
import type { TableTwin } from './table-twin'

export interface TaskTwinRow {
  node: number
  id: string
  key: string
  island: number
  predictedVariance: number
  /** null as of a past batch */
  ability: number | null
  groups: number
  picked: boolean
  /** 0 the selected task, 1 or 2 its hop; null where there is no focus */
  hop: 0 | 1 | 2 | null
}

/** Tasks drawn at full strength, in task order: all on shown islands, or those that the focus reached. */
export function taskTwin(graph: GraphView, hidden: ReadonlySet<number>, focus: Focus | null): TaskTwinRow[] {
  const { nodes } = graph
  const hop = new Map<number, 0 | 1 | 2>()
  if (focus !== null) {
    hop.set(focus.task, 0)
    for (const node of focus.first) hop.set(node, 1)
    for (const node of focus.second) hop.set(node, 2)
  }
  const shown = focus === null ? [...nodes.id.keys()] : [...hop.keys()]
  return shown
    .filter((node) => hop.get(node) === 0 || !hidden.has(nodes.environment[node]!))
    .map((node) => ({
      node,
      id: nodes.id[node]!,
      key: nodes.key[node]!,
      island: nodes.environment[node]!,
      predictedVariance: nodes.predictedVariance[node]!,
      ability: nodes.ability?.[node] ?? null,
      groups: nodes.groups[node]!,
      picked: nodes.picked[node]!,
      hop: hop.get(node) ?? null,
    }))
}

export interface EvidenceTwinRow {
  id: string
  label: string
  kind: ShareKind
  edge: number | null
  through: string
  rollouts: number | null
  /** predicted variance, 4 decimals; the rows sum to the prediction */
  share: number
  percent: number | null
}

/** Every part of the prediction, in the order own, within, cross, prior; largest first. */
export function evidenceTwin(evidence: EvidenceView): EvidenceTwinRow[] {
  const whole = evidence.prediction.predictedVariance
  const order: ShareKind[] = ['own', 'within', 'cross', 'prior']
  const parts = drawnShares(evidence)
    .filter((part) => part.drawn !== 'not drawn' || part.kind === 'prior' || part.share !== 0)
    .sort(
      (a, b) =>
        order.indexOf(a.kind) - order.indexOf(b.kind) ||
        Number(a.drawn === 'not drawn') - Number(b.drawn === 'not drawn') ||
        Math.abs(b.share) - Math.abs(a.share),
    )
  const written = roundToSum(
    parts.map((part) => part.share),
    whole,
    4,
  )
  const percents =
    whole > 0
      ? roundToSum(
          parts.map((part) => (100 * part.share) / whole),
          100,
          1,
        )
      : null
  const byId = new Map(evidence.contributions.map((one) => [`${one.kind}-${one.task.id}`, one]))
  return parts.map((part, i) => {
    const contribution = byId.get(part.id)
    return {
      id: part.id,
      label: part.label,
      kind: part.kind,
      edge: contribution?.edge ?? null,
      through: contribution?.through.join(', ') ?? '',
      rollouts: contribution?.rollouts ?? null,
      share: written[i]!,
      percent: percents === null ? null : percents[i]!,
    }
  })
}

/** The same rows to be taken away. */
export function evidenceFile(evidence: EvidenceView): TableTwin {
  return {
    name: `evidence-${evidence.task.id}-batch-${evidence.batch}`,
    columns: ['task', 'kind', 'edge', 'through', 'rollouts', 'predictedVariance', 'percent'],
    rows: evidenceTwin(evidence).map((row) => [
      row.label,
      row.kind,
      row.edge,
      row.through,
      row.rollouts,
      row.share,
      row.percent,
    ]),
  }
}

export interface CircleRow {
  island: number
  id: string
  name: string
  tasks: number
  tried: number
  meanVariance: number
  /** per cent */
  held: number
  picks: number
  /** stored edges to other environments */
  edges: number
}

/** Every environment that is not hidden, in their order. */
export function circleTwin({ environments, pairs }: GraphView, hidden: ReadonlySet<number>): CircleRow[] {
  const edges = new Array<number>(environments.length).fill(0)
  for (const [i, count] of pairs.edges.entries()) {
    for (const end of [pairs.a[i], pairs.b[i]]) if (end !== undefined) edges[end] = (edges[end] ?? 0) + count
  }
  return environments.flatMap((one, island) =>
    hidden.has(island)
      ? []
      : [
          {
            island,
            id: one.id,
            name: one.name,
            tasks: one.tasks,
            tried: one.tried,
            meanVariance: meanVariance(one),
            held: 100 * one.held,
            picks: one.picks,
            edges: edges[island] ?? 0,
          },
        ],
  )
}
