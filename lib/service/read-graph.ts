/**
 * The dual-relation graph for the page: stored layout and edges, with sizes, rings and coverage now or as of a batch.
 */
import { fileSafe } from '@/lib/contract/file-name'
import type { GraphFigures, GraphView } from '@/lib/contract/graph'
import { figuresOf, momentOf, rounded } from './graph-figures'
import { edgesAmong, levelOf, type NodeWish, tasksWished, wholeOf } from './graph-nodes'
import { requireRun } from './open-run'
import type { Runtime } from './runtime'

export interface GraphWish extends NodeWish {
  batch?: number
}

/** Which edges: kinds null = both; `least` by kind, 0 to 1. */
export interface EdgeWish {
  kinds: readonly string[] | null
  least: { within: number; cross: number }
}

const ALL_EDGES: EdgeWish = { kinds: null, least: { within: 0, cross: 0 } }

export async function readGraph(
  runtime: Runtime,
  runId: string,
  wish: GraphWish = { level: 'auto', hops: 2 },
  { kinds, least }: EdgeWish = ALL_EDGES,
): Promise<GraphView> {
  const moment = await momentOf(runtime, runId, wish.batch ?? null)
  const { catalog } = moment
  const passes = ({ kind, weight }: { kind: 'within' | 'cross'; weight: number }) =>
    weight >= least[kind] && (kinds === null || kinds.includes(kind))
  const tasks = tasksWished(catalog, wish, passes)
  const figures = figuresOf(moment, tasks)
  const shown = tasks ?? [...catalog.tasks.keys()]
  const edges = edgesAmong(catalog, tasks).filter(passes)
  return {
    version: figures.version,
    batch: figures.batch,
    predictionsOf: figures.predictionsOf,
    level: levelOf(catalog, wish),
    total: catalog.tasks.length,
    environments: catalog.environments.map((environment, ordinal) => ({
      ...environment,
      ...(catalog.islands[ordinal] ?? { x: 0, y: 0, radius: 0, tasks: 0 }),
      variance: figures.environments.variance[ordinal] ?? 0,
      held: figures.environments.held[ordinal] ?? 0,
      picks: figures.environments.picks[ordinal] ?? 0,
      tried: figures.environments.tried[ordinal] ?? 0,
    })),
    nodes: {
      id: shown.map((task) => catalog.tasks[task]?.id ?? ''),
      key: shown.map((task) => catalog.tasks[task]?.key ?? ''),
      environment: shown.map((task) => catalog.set.tasks[task]?.environment ?? 0),
      x: shown.map((task) => rounded(catalog.x[task] ?? 0)),
      y: shown.map((task) => rounded(catalog.y[task] ?? 0)),
      ...figures.nodes,
    },
    edges: {
      source: edges.map((edge) => edge.source),
      target: edges.map((edge) => edge.target),
      kind: edges.map((edge) => edge.kind),
      weight: edges.map((edge) => rounded(edge.weight)),
    },
    ...wholeOf(catalog),
  }
}

/** What moves, for the nodes that `readGraph` answers with the same wish, in the same order. */
export async function readGraphFigures(runtime: Runtime, runId: string, wish: GraphWish): Promise<GraphFigures> {
  const moment = await momentOf(runtime, runId, wish.batch ?? null)
  return figuresOf(moment, tasksWished(moment.catalog, wish))
}

/** What a file of the graph is called, without its ending: after the run. */
export async function graphFileName(runtime: Runtime, runId: string): Promise<string> {
  const { run } = await requireRun(runtime, runId)
  return `${fileSafe(run.name).toLowerCase()}-graph`
}
