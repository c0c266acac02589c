import { describe, expect, it } from 'vitest'
import { drawnShares, neighbourGroups, shareRows } from '@/lib/view/graph-evidence'
import { evidenceScene, focusScene, wholeScene } from '@/lib/view/graph-scene'
import { evidenceTwin, taskTwin } from '@/lib/view/graph-twin'
import { evidenceVerdict, focusVerdict, wholeVerdict } from '@/lib/view/graph-verdict'
import { smallEvidence, smallGraph } from './graph-fixture'

const graph = smallGraph()
const indexOf = new Map(graph.nodes.id.map((id, i) => [id, i]))
const none = new Set<number>()
const sum = (values: (number | null)[]) => values.reduce<number>((before, value) => before + (value ?? 0), 0)

describe('the sum', () => {
  it('writes four rows that add up to the written prediction', () => {
    const rows = shareRows(smallEvidence())
    expect(rows.map(({ kind, count }) => [kind, count])).toEqual([
      ['own', 1],
      ['within', 5],
      ['cross', 3],
      ['prior', null],
    ])
    expect(sum(rows.map((row) => row.value))).toBeCloseTo(0.2, 9)
    expect(sum(rows.map((row) => row.percent))).toBeCloseTo(100, 9)
  })

  it('adds up after rounding, too', () => {
    const evidence = smallEvidence()
    const third = 0.2 / 3
    evidence.shares = { own: third, within: third, cross: third, prior: 0 }
    const rows = shareRows(evidence)
    expect(sum(rows.map((row) => row.value))).toBeCloseTo(0.2, 9)
    expect(sum(rows.map((row) => row.percent))).toBeCloseTo(100, 9)
  })

  it('says n/a in per cent of a prediction of 0, and still 0 as a value', () => {
    const evidence = smallEvidence()
    evidence.prediction.predictedVariance = 0
    evidence.shares = { own: 0, within: 0, cross: 0, prior: 0 }
    expect(shareRows(evidence).map(({ value, percent }) => [value, percent])).toEqual(Array(4).fill([0, null]))
  })

  it('closes each kind with what is folded and what the server did not list', () => {
    const evidence = smallEvidence()
    const percents = new Map(shareRows(evidence).map((row) => [row.kind, row.percent]))
    for (const group of neighbourGroups(evidence)) {
      const parts = [...group.rows, ...group.folded].map((row) => row.percent)
      expect(sum([...parts, group.rest.percent])).toBeCloseTo(percents.get(group.kind)!, 9)
    }
    const [within, cross] = neighbourGroups(evidence)
    expect(within!.rows.map((row) => row.contribution.task.id)).toEqual(['t1', 't2'])
    // evidence that speaks against counts by its size
    expect(cross!.rows.map((row) => row.percent)).toEqual([25, -6])
  })

  it('folds small neighbours beyond the third', () => {
    const evidence = smallEvidence()
    const tiny = evidence.contributions[2]!
    for (let n = 0; n < 4; n++)
      evidence.contributions.push({ ...tiny, task: { ...tiny.task, id: `t9${n}` }, share: 0.001 })
    const [within] = neighbourGroups(evidence)
    expect([within!.rows.length, within!.folded.length]).toEqual([3, 3])
  })

  it('draws shares that sum to the prediction', () => {
    const evidence = smallEvidence()
    expect(sum(drawnShares(evidence).map((part) => part.share))).toBeCloseTo(0.2, 9)
    expect(drawnShares(evidence).filter((part) => part.drawn === 'path')).toHaveLength(4)
  })

  it('has a table with the same sum', () => {
    const rows = evidenceTwin(smallEvidence())
    expect(sum(rows.map((row) => row.share))).toBeCloseTo(0.2, 9)
    expect(sum(rows.map((row) => row.percent))).toBeCloseTo(100, 9)
    expect(rows[0]!.kind).toBe('own')
    expect(rows.at(-1)!.kind).toBe('prior')
  })
})

describe('scenes', () => {
  it('draws one path a neighbour, wider with its share, and labels from 2 per cent', () => {
    const scene = evidenceScene(graph, indexOf, smallEvidence(), 0, none)
    expect(scene.paths.map(({ source, target, kind }) => [source, target, kind])).toEqual([
      [1, 0, 'within'],
      [4, 0, 'cross'],
      [7, 0, 'cross'],
      [2, 0, 'within'],
    ])
    expect(scene.paths[0]!.width).toBeCloseTo(1 + 0.42 * 26, 6)
    expect(scene.labels.map((label) => [label.text, label.figure])).toEqual([
      ['airline_0', null],
      ['airline_1', '26.0\u00a0%'],
      ['retail_4', '25.0\u00a0%'],
      ['sql_7', '\u22126.0\u00a0%'],
    ])
  })

  it('keeps paths in bounds where evidence leaves little of the prior', () => {
    const evidence = smallEvidence()
    evidence.prediction.predictedVariance = 0.01
    evidence.shares = { own: 0, within: -0.15, cross: -0.01, prior: 0.17 }
    evidence.contributions = Array.from({ length: 80 }, (_, n) => ({
      ...evidence.contributions[1]!,
      share: -0.002 - n / 1e6,
    }))
    const { paths, labels } = evidenceScene(graph, indexOf, evidence, 0, none)
    expect(paths).toHaveLength(50)
    expect(Math.max(...paths.map((path) => path.width))).toBeLessThan(2)
    expect(labels).toHaveLength(1)
    expect(drawnShares(evidence).filter((part) => part.drawn === 'path')).toHaveLength(50)
  })

  it('leaves out contributors that the graph does not hold', () => {
    const evidence = smallEvidence()
    evidence.contributions[1]!.task = { ...evidence.contributions[1]!.task, id: 't99' }
    expect(evidenceScene(graph, indexOf, evidence, 0, none).paths).toHaveLength(3)
  })

  it('rings picks: fully in the whole graph, quietly where they are no part of the evidence', () => {
    expect(wholeScene(graph, none, []).rings).toEqual({ strong: [1], quiet: [] })
    expect(wholeScene(graph, new Set([0]), []).rings).toEqual({ strong: [], quiet: [] })
    expect(evidenceScene(graph, indexOf, smallEvidence(), 0, none).rings.strong).toEqual([1])
    const focus = { task: 4, hops: 1 as const, first: [7], second: [], firstEdges: [3], secondEdges: [] }
    expect(focusScene(graph, focus, none).rings).toEqual({ strong: [], quiet: [1] })
  })
})

describe('verdicts', () => {
  it('names the islands that hold the larger half', () => {
    expect(wholeVerdict(graph)).toBe('1 of 3 islands, AIR, holds 85\u00a0% of the predicted variance.')
  })

  it('says so where nothing is to be learnt, and where there is one island', () => {
    const flat = { ...graph, environments: graph.environments.map((island) => ({ ...island, variance: 0 })) }
    expect(wholeVerdict(flat)).toBe(
      'No island holds predicted variance: all 8 tasks are expected to give equal rewards.',
    )
    expect(wholeVerdict({ ...graph, environments: graph.environments.slice(0, 1) })).toBe(
      'One island holds all 8 tasks.',
    )
  })

  it('says where a prediction comes from', () => {
    const evidence = smallEvidence()
    expect(evidenceVerdict(evidence)).toBe(
      'airline_0 is predicted at 0.200: 40\u00a0% from its own rollouts, 50\u00a0% from 8 neighbours.',
    )
    const mostlyPrior = { ...evidence, shares: { own: 0.01, within: 0.01, cross: 0, prior: 0.18 } }
    expect(evidenceVerdict(mostlyPrior)).toBe(
      'airline_0 is predicted at 0.200: 5\u00a0% from its own rollouts, 5\u00a0% from 8 neighbours, 90\u00a0% from the prior.',
    )
    evidence.contributions = evidence.contributions.slice(1)
    expect(evidenceVerdict(evidence)).toBe('airline_0 is predicted at 0.200: never tried, 50\u00a0% from 8 neighbours.')
    evidence.contributions = []
    evidence.restTasks = { within: 0, cross: 0 }
    expect(evidenceVerdict(evidence)).toBe(
      'airline_0 is predicted at 0.200, all of it the prior: no rollout speaks of it yet.',
    )
  })

  it('speaks of predicted variance where evidence takes away from the prior', () => {
    const evidence = smallEvidence()
    evidence.prediction.predictedVariance = 0.088
    evidence.shares = { own: -0.073, within: -0.02, cross: -0.006, prior: 0.187 }
    expect(evidenceVerdict(evidence)).toBe(
      'airline_0 is predicted at 0.088: the prior gives 0.187, its own rollouts take 0.073 off, 8 neighbours take 0.026 off.',
    )
    evidence.shares = { own: -0.1, within: 0.001, cross: 0, prior: 0.187 }
    expect(evidenceVerdict(evidence)).toContain('8 neighbours add 0.001')
    evidence.prediction.predictedVariance = 0
    evidence.shares = { own: 0, within: 0, cross: 0, prior: 0 }
    expect(evidenceVerdict(evidence)).toBe(
      'airline_0 is predicted at 0.000: the prior gives 0.000, its own rollouts change nothing, 8 neighbours change nothing.',
    )
  })

  it('says what lies around a task, and before the first batch nothing of batches', () => {
    const focus = { task: 0, hops: 2 as const, first: [1, 4], second: [2, 7], firstEdges: [0], secondEdges: [1] }
    expect(focusVerdict(graph, focus)).toBe(
      '4 tasks in 3 environments lie within 2 hops of airline_0; 1 of them is in batch 9.',
    )
    expect(focusVerdict({ ...graph, batch: 0 }, focus)).toBe(
      '4 tasks in 3 environments lie within 2 hops of airline_0.',
    )
    const alone = { ...focus, first: [], second: [] }
    expect(focusVerdict(graph, alone)).toBe('No task lies within 2 hops of airline_0 at these thresholds.')
  })
})

describe('taskTwin', () => {
  it('holds the tasks of shown islands, or those that the focus reached', () => {
    expect(taskTwin(graph, new Set([1]), null).map((row) => row.node)).toEqual([0, 1, 2, 3, 7])
    const focus = { task: 4, hops: 2 as const, first: [0], second: [1], firstEdges: [2], secondEdges: [0] }
    expect(taskTwin(graph, new Set([1]), focus).map((row) => [row.node, row.hop])).toEqual([
      [4, 0],
      [0, 1],
      [1, 2],
    ])
  })
})
