/**
 * What is drawn above the nodes: dimming, rings of picks, paths, tasks at full strength, labels, bridges.
 * Must never know pixels, colours or Sigma: nodes are indices, widths are in px, an environment is an index.
 * Invariant: one path a contributor that is in the graph; its width tells its share, its dashes tell its kind.
 */
import type { EvidenceView } from '@/lib/contract/evidence'
import type { GraphView } from '@/lib/contract/graph'
import { formatFixed } from './format'
import type { Bridge } from './graph-bridges'
import type { EdgeKind } from './graph-edges'
import { evidenceSize, LABEL_FROM, MOST_PATHS, neighboursBySize, percentOf } from './graph-evidence'
import type { Focus } from './graph-focus'

export interface ScenePath {
  source: number
  target: number
  kind: EdgeKind
  width: number
  alpha: number
}

export interface SceneLabel {
  node: number
  text: string
  /** quieter, behind the text */
  figure: string | null
  strong: boolean
  /** written even where it covers another */
  kept: boolean
}

export interface Scene {
  /** how much of what is not lit fades, 0 to 1 */
  dim: number
  selected: number | null
  /** picks of the shown batch: those among the lit at full strength */
  rings: { strong: number[]; quiet: number[] }
  /** drawn again at full strength, above the dimming */
  lit: number[]
  paths: ScenePath[]
  /** most important first: the first keep their place */
  labels: SceneLabel[]
  bridges: Bridge[]
}

const EVIDENCE_DIM = 0.62
const FOCUS_DIM = 0.8
/** Path width of the evidence: px at no share, px a per cent. */
const PATH_BASE = 1
const PATH_STEP = 0.42
const LABELS_IN_FOCUS = 14
const MOST_LABELS = 12

function picksOf(graph: GraphView, hidden: ReadonlySet<number>, lit: readonly number[] | null): Scene['rings'] {
  const strong: number[] = []
  const quiet: number[] = []
  const full = lit === null ? null : new Set(lit)
  for (const [node, picked] of graph.nodes.picked.entries()) {
    if (!picked) continue
    if (full?.has(node) === true) strong.push(node)
    else if (hidden.has(graph.nodes.environment[node]!)) continue
    else if (full === null) strong.push(node)
    else quiet.push(node)
  }
  return { strong, quiet }
}

export function wholeScene(graph: GraphView, hidden: ReadonlySet<number>, bridges: Bridge[]): Scene {
  return { dim: 0, selected: null, rings: picksOf(graph, hidden, null), lit: [], paths: [], labels: [], bridges }
}

/** `selected` is the node of the evidence's task. Contributors that the graph does not hold have no path. */
export function evidenceScene(
  graph: GraphView,
  indexOf: ReadonlyMap<string, number>,
  evidence: EvidenceView,
  selected: number,
  hidden: ReadonlySet<number>,
): Scene {
  const whole = evidence.prediction.predictedVariance
  const size = evidenceSize(evidence)
  const paths: ScenePath[] = []
  const labels: SceneLabel[] = [{ node: selected, text: evidence.task.key, figure: null, strong: true, kept: true }]
  for (const { kind, task, share } of neighboursBySize(evidence).slice(0, MOST_PATHS)) {
    const node = indexOf.get(task.id)
    if (node === undefined || kind === 'own' || node === selected) continue
    const part = size > 0 ? Math.abs(share) / size : 0
    paths.push({ source: node, target: selected, kind, width: PATH_BASE + 100 * PATH_STEP * part, alpha: 0.93 })
    if (part < LABEL_FROM || labels.length > MOST_LABELS) continue
    const percent = percentOf(share, whole)
    const figure = percent === null ? null : `${formatFixed(percent, 1)}\u00a0%`
    labels.push({ node, text: task.key, figure, strong: false, kept: true })
  }
  const lit = [selected, ...paths.map((path) => path.source)]
  return { dim: EVIDENCE_DIM, selected, rings: picksOf(graph, hidden, lit), lit, paths, labels, bridges: [] }
}

export function focusScene(graph: GraphView, focus: Focus, hidden: ReadonlySet<number>): Scene {
  const { edges, nodes } = graph
  const path = (e: number, near: boolean): ScenePath => ({
    source: edges.source[e]!,
    target: edges.target[e]!,
    kind: edges.kind[e]!,
    width: near ? 1.75 : 0.9,
    alpha: near ? 1 : 0.5,
  })
  const label = (node: number, strong: boolean) => ({
    node,
    text: nodes.key[node]!,
    figure: null,
    strong,
    kept: strong,
  })
  const lit = [focus.task, ...focus.first, ...focus.second]
  return {
    dim: FOCUS_DIM,
    selected: focus.task,
    rings: picksOf(graph, hidden, lit),
    lit,
    paths: [...focus.secondEdges.map((e) => path(e, false)), ...focus.firstEdges.map((e) => path(e, true))],
    labels: [label(focus.task, true), ...focus.first.slice(0, LABELS_IN_FOCUS).map((node) => label(node, false))],
    bridges: [],
  }
}

/** A selected task whose evidence is still on its way, or cannot be had. */
export function selectedScene(graph: GraphView, selected: number, hidden: ReadonlySet<number>): Scene {
  return {
    dim: EVIDENCE_DIM,
    selected,
    rings: picksOf(graph, hidden, [selected]),
    lit: [selected],
    paths: [],
    labels: [{ node: selected, text: graph.nodes.key[selected]!, figure: null, strong: true, kept: true }],
    bridges: [],
  }
}
