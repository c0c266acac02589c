import { describe, expect, it } from 'vitest'
import { type IslandLayout, islandLayout, type LayoutInput, SPACING } from '@/lib/engine/layout'

/** A seeded clustered graph: E islands of uneven size, edges inside and to the next two islands. */
function clustered(environments: number, tasks: number, edges: number, seed = 7): LayoutInput {
  let state = seed
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
  const environmentOf = Int32Array.from({ length: tasks }, () => Math.floor(random() ** 2 * environments))
  const taskKeyHash = Uint32Array.from({ length: tasks }, () => Math.floor(random() * 2 ** 32))
  const value = Float32Array.from({ length: tasks }, () => random() / 4)
  const list = []
  while (list.length < edges) {
    const source = Math.floor(random() * tasks)
    const target = Math.floor(random() * tasks)
    const apart = Math.abs(environmentOf[source]! - environmentOf[target]!)
    if (source !== target && apart <= 1) list.push({ source, target, weight: random() })
  }
  return { environments, environmentOf, taskKeyHash, value, edges: list }
}

const distance = (a: { x: number; y: number }, b: { x: number; y: number }) => Math.hypot(a.x - b.x, a.y - b.y)
const at = (layout: IslandLayout, task: number) => ({ x: layout.x[task]!, y: layout.y[task]! })

describe('islandLayout', () => {
  const input = clustered(12, 1200, 4800)
  const layout = islandLayout(input)

  it('keeps every task on its own island and two tasks at least one spacing apart', () => {
    for (let task = 0; task < 1200; task++) {
      const island = layout.islands[input.environmentOf[task]!]!
      expect(distance(at(layout, task), island)).toBeLessThan(island.radius)
    }
    let nearest = Number.POSITIVE_INFINITY
    for (let a = 0; a < 1200; a++) {
      for (let b = a + 1; b < 1200; b++) nearest = Math.min(nearest, distance(at(layout, a), at(layout, b)))
    }
    expect(nearest).toBeGreaterThan(SPACING - 1e-3)
  })

  it('leaves water between islands, with 12 and with 191', () => {
    for (const { islands } of [layout, islandLayout(clustered(191, 4000, 12_000))]) {
      for (const [i, a] of islands.entries()) {
        for (const b of islands.slice(i + 1)) expect(distance(a, b)).toBeGreaterThan(a.radius + b.radius + 4)
      }
    }
  })

  it('gives the same floats for the same input', () => {
    const again = islandLayout(clustered(12, 1200, 4800))
    expect(again.x).toEqual(layout.x)
    expect(again.y).toEqual(layout.y)
  })

  it('does not depend on how tasks are numbered', () => {
    const small = clustered(4, 60, 150)
    const n = 60
    const renumber = (task: number) => (task * 7 + 3) % n
    const permuted: LayoutInput = {
      environments: 4,
      environmentOf: new Int32Array(n),
      taskKeyHash: new Uint32Array(n),
      value: new Float32Array(n),
      edges: small.edges.map((edge) => ({ ...edge, source: renumber(edge.source), target: renumber(edge.target) })),
    }
    for (let task = 0; task < n; task++) {
      permuted.environmentOf[renumber(task)] = small.environmentOf[task]!
      permuted.taskKeyHash[renumber(task)] = small.taskKeyHash[task]!
      permuted.value![renumber(task)] = small.value![task]!
    }
    const first = islandLayout(small)
    const second = islandLayout(permuted)
    for (let task = 0; task < n; task++) {
      expect(distance(at(first, task), at(second, renumber(task)))).toBeLessThan(1e-2)
    }
  })

  it('puts the highest value in the middle, and without values the best connected task', () => {
    const environmentOf = new Int32Array(8)
    const taskKeyHash = Uint32Array.from({ length: 8 }, (_, task) => task)
    const edges = [1, 2, 4, 5].map((target) => ({ source: 3, target, weight: 0.5 }))
    const value = Float32Array.from([0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.25, 0.1])
    const middle = (l: IslandLayout) =>
      [...l.x.keys()].reduce((best, task) =>
        distance(at(l, task), l.islands[0]!) < distance(at(l, best), l.islands[0]!) ? task : best,
      )
    expect(middle(islandLayout({ environments: 1, environmentOf, taskKeyHash, value, edges }))).toBe(6)
    expect(middle(islandLayout({ environments: 1, environmentOf, taskKeyHash, edges }))).toBe(3)
  })

  it('brings islands with many cross edges nearer than islands without', () => {
    const environmentOf = Int32Array.from({ length: 300 }, (_, task) => task % 10)
    const taskKeyHash = Uint32Array.from({ length: 300 }, (_, task) => (task * 2654435761) % 2 ** 32)
    const apart = (edges: LayoutInput['edges']) => {
      const { islands } = islandLayout({ environments: 10, environmentOf, taskKeyHash, edges })
      return islands.map((island) => distance(island, islands[0]!))
    }
    const strangers = apart([])
    const far = strangers.indexOf(Math.max(...strangers))
    const related = apart(Array.from({ length: 30 }, (_, k) => ({ source: 10 * k, target: 10 * k + far, weight: 1 })))
    expect(related[far]!).toBeLessThan(Math.min(...related.slice(1)) + 0.1)
    expect(related[far]!).toBeLessThan(0.6 * strangers[far]!)
  })

  it('turns a task towards its neighbour on another island', () => {
    const environmentOf = Int32Array.from([0, 0, 0, 0, 0, 0, 0, 1])
    const taskKeyHash = Uint32Array.from({ length: 8 }, (_, task) => task)
    const value = Float32Array.from([1, 0, 0, 0, 0, 0, 0, 1])
    const l = islandLayout({
      environments: 2,
      environmentOf,
      taskKeyHash,
      value,
      edges: [{ source: 4, target: 7, weight: 1 }],
    })
    const toOther = [1, 2, 3, 4, 5, 6].map((task) => distance(at(l, task), at(l, 7)))
    expect(Math.min(...toOther)).toBe(toOther[3])
  })

  it('takes nothing, one task, empty environments and duplicates of an edge', () => {
    const none = { environmentOf: new Int32Array(0), taskKeyHash: new Uint32Array(0), edges: [] }
    expect(islandLayout({ environments: 0, ...none }).islands).toEqual([])
    const three = islandLayout({
      ...none,
      environments: 3,
      environmentOf: Int32Array.from([1]),
      taskKeyHash: Uint32Array.from([5]),
    })
    expect(three.islands).toHaveLength(3)
    for (const { x, y, radius } of three.islands) expect([x, y, radius].every(Number.isFinite)).toBe(true)
    expect(at(three, 0).x).toBeCloseTo(three.islands[1]!.x, 3)
  })

  it('places 10 000 tasks with 40 000 edges in a few seconds', { timeout: 30_000 }, () => {
    const large = clustered(40, 10_000, 40_000)
    const start = performance.now()
    const { x, y } = islandLayout(large)
    expect(performance.now() - start).toBeLessThan(5000)
    expect(x.every(Number.isFinite) && y.every(Number.isFinite)).toBe(true)
  })
})
