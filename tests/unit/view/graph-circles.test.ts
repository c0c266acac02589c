import { describe, expect, test } from 'vitest'
import { readAddress } from '@/lib/view/graph-address'
import {
  circleAt,
  circleScale,
  circlesOf,
  MOST_PAIRS,
  meanVariance,
  shownPairs,
  varianceStep,
} from '@/lib/view/graph-circles'
import { exportQuery } from '@/lib/view/graph-export-query'
import { figuresIn, withFigures } from '@/lib/view/graph-merge'
import { momentWords } from '@/lib/view/graph-moment'
import { circleTwin } from '@/lib/view/graph-twin'
import { circlesVerdict } from '@/lib/view/graph-verdict'
import { captionOf, pairWords } from '@/lib/view/graph-words'
import { closedIslands, openIsland } from '@/lib/view/graph-world'
import { smallGraph } from './graph-fixture'

const graph = smallGraph()
const read = (query: string) => readAddress(new URLSearchParams(query))
const ALL = { on: true, min: 0 }
const BOTH = { within: ALL, cross: ALL }

describe('circles', () => {
  test('fill steps take 0, the ends and what is no number', () => {
    expect([0, -0, 0.0357, 0.0358, 0.25, 1, -1, Number.NaN].map(varianceStep)).toEqual([0, 0, 0, 1, 6, 6, 0, 0])
    expect(meanVariance({ variance: 0, tasks: 0 })).toBe(0)
  })

  test('areas are as tasks and no two overlap, also of one, none and equal places', () => {
    const scale = circleScale(graph.environments)
    const circles = circlesOf(graph.environments, new Set([0, 1, 2]), scale)
    expect(circles.map(({ radius }) => radius ** 2 / scale ** 2)).toEqual([
      expect.closeTo(4, 9),
      expect.closeTo(3, 9),
      expect.closeTo(1, 9),
    ])
    for (const one of circles)
      for (const other of circles)
        if (one !== other)
          expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThan(one.radius + other.radius)
    expect(circleScale([])).toBe(0)
    expect(circleScale(graph.environments.slice(0, 1))).toBeGreaterThan(0)
    const same = graph.environments.map((one) => ({ ...one, x: 0, y: 0 }))
    expect(circleScale(same)).toBeGreaterThan(0)
    const large = Array.from({ length: 191 }, (_, i) => ({
      ...graph.environments[0]!,
      x: 100 * (i % 14),
      y: 100 * Math.floor(i / 14),
      tasks: i + 1,
    }))
    expect(circleScale(large) * (Math.sqrt(191) + Math.sqrt(190))).toBeLessThanOrEqual(96.001)
  })

  test('the ring is as wide as the picks, and absent without any', () => {
    const rings = circlesOf(graph.environments, new Set([0, 1]), 1).map(({ ring }) => ring)
    expect(rings).toEqual([4, 0])
  })

  test('a point finds its circle', () => {
    const circles = circlesOf(graph.environments, new Set([0, 1]), 5)
    expect(circleAt(circles, 3, 4)).toBe(0)
    expect(circleAt(circles, 50, 0)).toBeNull()
  })

  test('the strongest 120 pairs are drawn, the rest counted; those of the selected are found', () => {
    const many = {
      pairs: {
        a: Array.from({ length: 300 }, () => 0),
        b: Array.from({ length: 300 }, (_, i) => i + 1),
        edges: Array.from({ length: 300 }, () => 1),
        weight: Array.from({ length: 300 }, (_, i) => 1 - i / 300),
      },
    }
    const shown = shownPairs(many, ALL, new Set(), 250)
    expect(shown).toMatchObject({ passing: 300, total: 300 })
    expect(shown.drawn).toHaveLength(MOST_PAIRS)
    expect(shown.own.map(({ b }) => b)).toEqual([250])
    expect(pairWords(shown)).toBe('120 strongest of 300 pairs')
    expect(shownPairs(many, { on: true, min: 0.5 }, new Set([1]), null).passing).toBe(150)
    expect(shownPairs(many, { on: false, min: 0 }, new Set(), null)).toMatchObject({
      drawn: [],
      passing: 0,
      total: 300,
    })
  })

  test('the table holds every environment with its cross edges', () => {
    expect(circleTwin(graph, new Set([1])).map(({ name, edges }) => [name, edges])).toEqual([
      ['airline', 3],
      ['SQL tools', 1],
    ])
  })
})

describe('which stand open', () => {
  test('none is closed on a graph that is not collapsed', () => {
    expect(closedIslands(graph, read(''), null).size).toBe(0)
    expect([...closedIslands(graph, read('level=environments'), null)]).toEqual([0, 1, 2])
  })

  test("the selected task's environment stands open, else the one of the address", () => {
    expect(openIsland(graph, read('open=e2'), 5)).toBe(1)
    expect(openIsland(graph, read('open=e2'), null)).toBe(2)
    expect(openIsland(graph, read('open=e9'), null)).toBeNull()
    expect([...closedIslands(graph, read('level=environments'), 2)]).toEqual([0, 1])
  })

  test('one whose tasks are not there yet stays closed', () => {
    const bare = { ...graph, level: 'environments' as const, nodes: { ...graph.nodes, environment: [] } }
    expect([...closedIslands(bare, read(''), 2)]).toEqual([0, 1, 2])
  })
})

describe('words', () => {
  test('say how few islands hold half', () => {
    expect(circlesVerdict(graph)).toBe('8 tasks in 3 islands: one of them holds half of the predicted variance.')
    const flat = { ...graph, environments: graph.environments.map((one) => ({ ...one, variance: 0 })) }
    expect(circlesVerdict(flat)).toBe('8 tasks in 3 islands, and none of them holds predicted variance.')
    expect(circlesVerdict({ ...graph, environments: graph.environments.slice(0, 1) })).toBe(
      'One island holds all 8 tasks.',
    )
  })

  test('say of when the picture is, and which predictions stand in', () => {
    expect(momentWords(graph)).toBe('As of batch 9: 8 of 8 tasks tried. Graph version 1.')
    expect(momentWords({ ...graph, batch: 0 })).toContain('No batch yet')
    expect(momentWords({ ...graph, batch: 7, predictionsOf: 7 })).toBe(
      'As batch 7 was chosen: 1 pick, 8 of 8 tasks tried by then. Graph version 1.',
    )
    expect(momentWords({ ...graph, batch: 7, predictionsOf: 7 }, { tried: 8, picks: 0 })).toBe(
      'As batch 7 was chosen: 1 pick, 8 of 8 tasks tried by then. Now 8 are tried and 0 tasks are picked. Graph version 1.',
    )
    expect(momentWords(graph, { tried: 8, picks: 2 })).not.toContain('Now')
    expect(momentWords({ ...graph, batch: 7, predictionsOf: 10 })).toContain(
      'Predictions of batch 7 are not kept; nearest kept: 10.',
    )
    expect(momentWords({ ...graph, counts: { within: 0, cross: 0 } })).toContain('No edge is stored')
  })

  test('the caption names thresholds, counts and what is hidden', () => {
    const shown = {
      graph,
      hidden: new Set([2]),
      filter: BOTH,
      counts: { within: '2 of 2', cross: '3 of 4' },
      lines: null,
    }
    expect(captionOf('It is so.', shown)).toEqual([
      'It is so.',
      'As of batch 9: 8 of 8 tasks tried. Graph version 1.',
      'Within edges of weight 0.00 or more: 2 of 2. Cross edges of weight 0.00 or more: 3 of 4. Hidden: SQL.',
    ])
  })
})

describe('figures', () => {
  test('go into the graph they belong to and leave what is stored as it is', () => {
    const figures = figuresIn(graph)
    const moved = withFigures(graph, {
      ...figures,
      batch: 3,
      predictionsOf: 3,
      nodes: { ...figures.nodes, groups: graph.nodes.groups.map(() => 0), ability: null },
      environments: { ...figures.environments, tried: [0, 0, 0] },
    })
    expect(moved).toMatchObject({ batch: 3, predictionsOf: 3, nodes: { ability: null } })
    expect(moved.nodes.x).toBe(graph.nodes.x)
    expect(moved.edges).toBe(graph.edges)
    expect(moved.environments.map(({ tried }) => tried)).toEqual([0, 0, 0])
    expect(withFigures(graph, undefined)).toBe(graph)
    const other = { ...figures, nodes: { ...figures.nodes, groups: [1] } }
    expect(withFigures(graph, other)).toBe(graph)
  })
})

describe('exports', () => {
  const filter = { within: { on: true, min: 0.4 }, cross: { on: false, min: 0.5 } }
  test('ask for what is shown', () => {
    const query = (address: string, open: number | null = null) =>
      exportQuery(graph, read(address), filter, open, ['t4'])
    expect(query('hide=e1&batch=7')).toEqual({
      level: 'tasks',
      kinds: 'within',
      within: 0.4,
      cross: 0.5,
      hide: 'e1',
      batch: 7,
    })
    expect(query('task=t0&hops=1')).toMatchObject({ level: 'environments', around: 't0', hops: 1 })
    expect(query('task=t0')).toMatchObject({ level: 'environments', also: 't0,t4' })
    expect(query('level=environments')).toMatchObject({ level: 'environments', open: null })
    expect(query('level=environments&open=e2', 2)).toMatchObject({ level: 'environments', open: 'e2' })
  })
})
