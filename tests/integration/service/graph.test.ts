import { afterEach, beforeEach, expect, test } from 'vitest'
import { graph as graphContract, graphFigures } from '@/lib/contract/graph'
import { graphEdges, graphTasks, graphToGexf } from '@/lib/service/exports/graph-export'
import { readBatch } from '@/lib/service/read-batches'
import { readGraph, readGraphFigures } from '@/lib/service/read-graph'
import { createTestDatabase, type TestDatabase } from '@/tests/support/database'
import { ask, openTestRuntime, startToyRun, train } from '@/tests/support/toy-run'

let database: TestDatabase
let runtime: Awaited<ReturnType<typeof openTestRuntime>>
beforeEach(async () => {
  database = await createTestDatabase('sqlite')
  runtime = await openTestRuntime(database.url)
})
afterEach(async () => {
  await runtime.end()
  await database.drop()
})

const sum = (values: readonly number[]) => values.reduce((before, value) => before + value, 0)

test('before the first batch nothing is picked or tried, and every task has a prediction', async () => {
  const run = await startToyRun(runtime)
  const graph = graphContract.parse(await readGraph(runtime, run))
  expect(graph).toMatchObject({ batch: 0, predictionsOf: null, level: 'tasks', total: 48 })
  expect(graph.nodes.picked).not.toContain(true)
  expect(sum(graph.nodes.groups)).toBe(0)
  expect(sum(graph.environments.map(({ tried }) => tried))).toBe(0)
  expect(Math.min(...graph.nodes.predictedVariance)).toBeGreaterThan(0)
  expect(sum(graph.environments.map(({ held }) => held))).toBeCloseTo(1, 4)
})

test('figures are those of the graph, and as of a batch they are what was so then', async () => {
  const run = await startToyRun(runtime)
  await train(runtime, run, 0, 5)
  const now = await readGraph(runtime, run)
  const live = graphFigures.parse(await readGraphFigures(runtime, run, { level: 'auto', hops: 2 }))
  expect(live.nodes.predictedVariance).toEqual(now.nodes.predictedVariance)
  expect(live.environments.held).toEqual(now.environments.map(({ held }) => held))

  const first = await readGraph(runtime, run, { level: 'auto', hops: 2, batch: 1 })
  expect(first).toMatchObject({ batch: 1, predictionsOf: 1 })
  expect(first.nodes.ability).toBeNull()
  expect(sum(first.nodes.groups)).toBe(0)
  const third = await readGraph(runtime, run, { level: 'auto', hops: 2, batch: 3 })
  expect(sum(third.nodes.groups)).toBe(16)
  const { pickList } = await readBatch(runtime, run, 3)
  const ringed = third.nodes.id.filter((_, i) => third.nodes.picked[i] === true)
  expect(ringed.sort()).toEqual([...new Set(pickList.map(({ task }) => task.id))].sort())
  for (const pick of pickList) {
    const at = third.nodes.id.indexOf(pick.task.id)
    expect(third.nodes.predictedVariance[at]).toBeCloseTo(pick.prediction.predictedVariance, 5)
  }
  await expect(readGraph(runtime, run, { level: 'auto', hops: 2, batch: 99 })).rejects.toThrow('no batch "b99"')
})

test('predictions that were not kept are those of the nearest batch, and it is said which', async () => {
  const run = await startToyRun(runtime)
  await train(runtime, run, 0, 4)
  await runtime.database.transaction(async (tx) => {
    await tx.client.predictionBlob.deleteMany({ where: { runId: run, batch: { in: [2, 3] } } })
  })
  const second = await readGraph(runtime, run, { level: 'auto', hops: 2, batch: 2 })
  expect(second).toMatchObject({ batch: 2, predictionsOf: 1 })
  expect(sum(second.nodes.groups)).toBe(8)
  const third = await readGraphFigures(runtime, run, { level: 'auto', hops: 2, batch: 3 })
  expect(third).toMatchObject({ batch: 3, predictionsOf: 4 })
})

test('collapsed, an answer tells environments and pairs, and holds the nodes that are asked for', async () => {
  const run = await startToyRun(runtime)
  await ask(runtime, run, 0)
  const whole = await readGraph(runtime, run)
  const closed = graphContract.parse(await readGraph(runtime, run, { level: 'environments', hops: 2 }))
  expect(closed.nodes.id).toEqual([])
  expect(closed.environments).toEqual(whole.environments)
  expect(sum(closed.pairs.edges)).toBe(whole.counts.cross)
  const strengths = closed.pairs.edges.map((edges, i) => edges * (closed.pairs.weight[i] ?? 0))
  for (const [i, strength] of strengths.entries()) {
    if (i > 0) expect(strength).toBeLessThanOrEqual((strengths[i - 1] ?? 0) + 0.05)
  }

  const open = await readGraph(runtime, run, { level: 'environments', open: 'e1', hops: 2 })
  expect(new Set(open.nodes.environment)).toEqual(new Set([1]))
  expect(open.nodes.id).toHaveLength(open.environments[1]?.tasks ?? 0)
  expect(open.edges.kind).not.toContain('cross')

  const source = whole.edges.source[0] ?? 0
  const id = whole.nodes.id[source] ?? ''
  const near = await readGraph(runtime, run, { level: 'environments', around: id, hops: 1, also: ['t0'] })
  const neighbours = whole.edges.source.flatMap((from, e) => {
    const to = whole.edges.target[e] ?? 0
    return from === source ? [to] : to === source ? [from] : []
  })
  const expected = new Set([0, source, ...neighbours].map((node) => whole.nodes.id[node]))
  expect(new Set(near.nodes.id)).toEqual(expected)
  expect(near.edges.source.length).toBeGreaterThanOrEqual(neighbours.length)
  const figures = await readGraphFigures(runtime, run, { level: 'environments', around: id, hops: 1, also: ['t0'] })
  expect(figures.nodes.predictedVariance).toEqual(near.nodes.predictedVariance)
  await expect(readGraph(runtime, run, { level: 'environments', open: 'e9', hops: 2 })).rejects.toThrow('e9')
})

test('exports hold what is shown: kinds, least weights and hidden environments', async () => {
  const run = await startToyRun(runtime)
  const graph = await readGraph(
    runtime,
    run,
    { level: 'auto', hops: 2 },
    { kinds: ['cross'], least: { within: 0, cross: 0.4 } },
  )
  const rows = graphEdges(graph, ['e0'])
  expect(rows.length).toBeGreaterThan(0)
  const hidden = new Set(graph.nodes.key.filter((_, i) => graph.nodes.environment[i] === 0))
  expect(graphTasks(graph, ['e0'])).toHaveLength(graph.nodes.id.length - hidden.size)
  for (const { kind, weight } of rows) {
    expect(kind).toBe('cross')
    expect(Number(weight)).toBeGreaterThanOrEqual(0.4)
  }
  const text = graphToGexf(graph, ['e0'])
  expect(text.match(/<edge /g)).toHaveLength(rows.length)
  expect(text.match(/<node /g)).toHaveLength(36)

  const closed = await readGraph(runtime, run, { level: 'environments', hops: 2 })
  expect(graphTasks(closed).map(({ key }) => key)).toEqual(closed.environments.map(({ key }) => key))
  expect(graphEdges(closed)).toHaveLength(closed.pairs.a.length)
})
