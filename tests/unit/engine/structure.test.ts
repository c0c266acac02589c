import { describe, expect, test } from 'vitest'
import { buildStructure, similarity } from '@/lib/engine/structure'
import type { EngineTask, EngineTaskSet } from '@/lib/engine/task-set'

function setOf(tasks: Partial<EngineTask>[], environments = 1): EngineTaskSet {
  return {
    environments: Array.from({ length: environments }, (_, e) => ({
      key: `e${e}`,
      tools: [],
      state: [],
      verifier: { kind: null, checks: [] },
      rewardRange: null,
      horizon: null,
      maxConcurrent: null,
    })),
    tasks: tasks.map((task, i) => ({
      environment: 0,
      key: `t${i}`,
      text: null,
      tools: [],
      state: [],
      checks: [],
      ...task,
    })),
  }
}

describe('hubs', () => {
  test('a thing of a single task joins nobody', () => {
    const { hubs } = buildStructure(setOf([{ tools: ['get_a', 'get_b'] }, { tools: ['get_b'] }, { tools: ['send_c'] }]))
    expect(hubs.within[0]!.map((hub) => [hub.name, hub.tasks])).toEqual([
      ['tool get_b', 2],
      ['pattern read', 2],
      ['1 call', 2],
    ])
    expect(hubs.cross).toEqual([])
  })

  test('what all tasks of an environment have alike is the environment, not a hub', () => {
    const { hubs } = buildStructure(setOf([{ state: ['orders'] }, { state: ['orders'] }]))
    expect(hubs.within[0]).toEqual([])
  })

  test('across environments the key is the name with the role, and the role with what it acts on', () => {
    const { hubs } = buildStructure(
      setOf(
        [
          { tools: ['get_order'] },
          { environment: 1, tools: ['get_order'] },
          { environment: 1, tools: ['view_orders'] },
        ],
        2,
      ),
    )
    expect(hubs.cross.map((hub) => [hub.kind, hub.name, hub.tasks])).toEqual([
      ['tool', 'get_order as read', 2],
      ['role', 'read of order', 3],
      ['pattern', 'pattern read', 3],
      ['length', '1 call', 3],
    ])
  })

  test('equal names with different roles are not joined', () => {
    const set = setOf([{ tools: ['apply'] }, { environment: 1, tools: ['apply'] }], 2)
    set.environments[0]!.tools = [{ name: 'apply', role: 'delete', description: null, parameters: [] }]
    expect(buildStructure(set).hubs.cross.filter((hub) => hub.kind === 'tool')).toEqual([])
  })

  test('amounts are counts over the root of the length', () => {
    const { within } = buildStructure(setOf([{ tools: ['get_a', 'get_a', 'get_a', 'set_b'] }, { tools: ['get_a'] }]))
    expect(within.value[within.start[0]!]).toBeCloseTo(1.5, 12)
    expect(within.value[within.start[1]!]).toBe(1)
  })
})

describe('patterns', () => {
  test('repeats collapse, names read as roles in order', () => {
    const { pattern, patternNames } = buildStructure(
      setOf([
        { tools: ['get_a', 'get_b', 'search_c', 'update_d'] },
        { tools: ['get_a', 'search_c', 'update_d'] },
        { tools: ['search_c', 'get_a'] },
        {},
      ]),
    )
    expect(Array.from(pattern, (p) => patternNames[p])).toEqual([
      'read, search, update',
      'read, search, update',
      'search, read',
      'no tools',
    ])
  })

  test('very many different sequences still make few patterns', () => {
    const verbs = ['get', 'search', 'create', 'update', 'delete', 'calculate', 'send']
    const tasks = Array.from({ length: 300 }, (_, i) => ({
      tools: Array.from({ length: 1 + (i % 4) }, (_, k) => `${verbs[(i * (k + 3) + k * k) % 7]}_x`),
    }))
    expect(buildStructure(setOf(tasks)).patternNames.length).toBeLessThanOrEqual(24)
  })
})

describe('edges', () => {
  test('text joins tasks where there are no tools', () => {
    const texts = [
      'cancel my flight to paris',
      'cancel a flight to paris',
      'write a poem about rust',
      'a poem about rust and iron',
    ]
    const structure = buildStructure(setOf(texts.map((text) => ({ text }))))
    expect(structure.neighbours(0).map((near) => near.task)).toEqual([1])
    expect(structure.neighbours(2).map((near) => near.task)).toEqual([3])
    expect(similarity(structure, 0, 2)).toBe(0)
  })

  test('more in common is more alike, and so is a closer length', () => {
    const structure = buildStructure(
      setOf([
        { tools: ['get_a', 'set_b'] },
        { tools: ['get_a', 'set_b'] },
        { tools: ['get_a', 'send_c'] },
        { tools: ['get_a', 'set_b', 'get_a', 'set_b', 'get_a', 'set_b', 'get_a', 'set_b'] },
      ]),
    )
    expect(similarity(structure, 0, 1)).toBeCloseTo(1, 12)
    expect(similarity(structure, 0, 2)).toBeLessThan(0.9)
    expect(similarity(structure, 0, 3)).toBeLessThan(0.5)
  })

  test('a thousand equal tasks have few edges each', () => {
    const structure = buildStructure(setOf(Array.from({ length: 1000 }, () => ({ tools: ['get_a'] }))))
    const degrees = Array.from({ length: 1000 }, (_, i) => structure.neighbours(i).length)
    expect(Math.min(...degrees)).toBeGreaterThanOrEqual(5)
    expect(Math.max(...degrees)).toBeLessThan(40)
  })
})

describe('the door', () => {
  test('empty sets and single tasks are fine', () => {
    expect(buildStructure({ environments: [], tasks: [] }).edges()).toEqual([])
    expect(buildStructure(setOf([])).tasks).toBe(0)
    const one = buildStructure(setOf([{ tools: ['get_a'] }]))
    expect(one.edges()).toEqual([])
    expect(one.neighbours(0)).toEqual([])
  })

  test('a repeated key, an unknown environment or an empty range is named', () => {
    expect(() => buildStructure(setOf([{ key: 'x' }, { key: 'x' }]))).toThrow(
      'Task key "x" is used twice in environment 0.',
    )
    expect(() => buildStructure(setOf([{ environment: 3 }]))).toThrow('names environment 3')
    const set = setOf([], 2)
    set.environments[1]!.key = 'e0'
    expect(() => buildStructure(set)).toThrow('Environment key "e0" is used twice.')
    for (const range of [
      [0, 0],
      [1, 0],
      [Number.NaN, 1],
      [0, Number.POSITIVE_INFINITY],
    ] as [number, number][]) {
      const ranged = setOf([])
      ranged.environments[0]!.rewardRange = range
      expect(() => buildStructure(ranged)).toThrow('is not a range')
    }
  })

  test('the same key in two environments is two tasks with two hashes', () => {
    const { taskKeyHash } = buildStructure(setOf([{ key: 'x' }, { key: 'x', environment: 1 }], 2))
    expect(taskKeyHash[0]).not.toBe(taskKeyHash[1])
  })
})
