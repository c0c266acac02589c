/**
 * The dual-relation graph for the page: stored layout and edges, live sizes and rings.
 */
import type { GraphView } from '@/lib/contract/graph'
import { environmentOf } from './catalog'
import { withRun } from './open-run'
import { groupSizeOf, groupsByBatch, historyOf } from './run-history'
import type { Runtime } from './runtime'

/** Six digits behind the point: what can be drawn, at half the kilobytes. */
const rounded = (value: number) => Math.round(value * 1e6) / 1e6

export async function readGraph(
  runtime: Runtime,
  runId: string,
  minWeight: number,
  kinds: readonly string[] | null,
): Promise<GraphView> {
  const { run, catalog, history, now } = await withRun(runtime, runId, async (opened) => {
    const known = await historyOf(runtime, opened.run)
    return { ...opened, history: known, now: await runtime.engine.predictions(runId, groupSizeOf(known)) }
  })
  const groups = new Array<number>(catalog.tasks.length).fill(0)
  for (const group of history.groups.values()) if (group.trusted > 0) groups[group.task] = (groups[group.task] ?? 0) + 1
  const inBatch = (groupsByBatch(history).get(history.batches.at(-1)?.index ?? -1) ?? []).filter((group) => !group.late)
  const picked = new Set(inBatch.map((group) => group.task))
  const variance = Array.from(now.predictedVariance, rounded)
  const total = variance.reduce((sum, value) => sum + value, 0)
  const held = catalog.environments.map(() => ({ variance: 0, picks: 0 }))
  for (const [task, value] of variance.entries()) {
    const cell = held[environmentOf(catalog, task)]
    if (cell === undefined) continue
    cell.variance += value
    if (picked.has(task)) cell.picks += 1
  }
  const edges = catalog.edges.filter(
    (edge) => edge.weight >= minWeight && (kinds === null || kinds.includes(edge.kind)),
  )
  const within = catalog.edges.filter((edge) => edge.kind === 'within').length
  return {
    version: catalog.graphVersion,
    batch: run.batchCount,
    environments: catalog.environments.map((environment, ordinal) => {
      const island = catalog.islands[ordinal] ?? { x: 0, y: 0, radius: 0, tasks: 0 }
      const { variance: sum, picks } = held[ordinal] ?? { variance: 0, picks: 0 }
      return { ...environment, ...island, variance: sum, held: total > 0 ? sum / total : 0, picks }
    }),
    nodes: {
      id: catalog.tasks.map((task) => task.id),
      key: catalog.tasks.map((task) => task.key),
      environment: catalog.set.tasks.map((task) => task.environment),
      x: catalog.x.map(rounded),
      y: catalog.y.map(rounded),
      predictedVariance: variance,
      ability: Array.from(now.ability, rounded),
      groups,
      picked: catalog.tasks.map((_, task) => picked.has(task)),
    },
    edges: {
      source: edges.map((edge) => edge.source),
      target: edges.map((edge) => edge.target),
      kind: edges.map((edge) => edge.kind),
      weight: edges.map((edge) => rounded(edge.weight)),
    },
    counts: { within, cross: catalog.edges.length - within },
  }
}
