import { describe, expect, it } from 'vitest'
import { bridges } from '@/lib/view/graph-bridges'
import { edgeCountWords } from '@/lib/view/graph-counts'
import { type EdgeFilter, incidence, MAX_DRAWN, shownEdges, startingFilter } from '@/lib/view/graph-edges'
import { focusOf } from '@/lib/view/graph-focus'
import { smallGraph } from './graph-fixture'

const graph = smallGraph()
const links = { edges: graph.edges, environment: graph.nodes.environment }
const filter = (within: number, cross: number, on = { within: true, cross: true }): EdgeFilter => ({
  within: { on: on.within, min: within },
  cross: { on: on.cross, min: cross },
})
const none = new Set<number>()

/** Many edges between `environments` islands, weights spread evenly over 0 to 1. */
function many(count: number, environments: number) {
  const environment = Array.from({ length: 200 }, (_, task) => task % environments)
  const source = Array.from({ length: count }, (_, e) => e % 200)
  const target = Array.from({ length: count }, (_, e) => (e % 200) + 1 + (Math.floor(e / 200) % 3)).map((t) => t % 200)
  const kind = source.map((s, e) =>
    environment[s] === environment[target[e]!] ? ('within' as const) : ('cross' as const),
  )
  return { edges: { source, target, kind, weight: source.map((_, e) => ((e * 7919) % count) / count) }, environment }
}

describe('shownEdges', () => {
  it('cuts to the strongest where no bridge could stand for them', () => {
    const large = many(MAX_DRAWN + 200, 4)
    const shown = shownEdges(large, filter(0, 0), none, true)
    expect(shown.bridged).toBe(false)
    expect(shown.drawn).toHaveLength(MAX_DRAWN)
    expect(shown.counts.within + shown.counts.cross).toBe(MAX_DRAWN + 200)
    const least = Math.min(...shown.drawn.map((e) => large.edges.weight[e]!))
    expect(large.edges.weight.filter((weight) => weight < least)).toHaveLength(200)
  })

  it('counts each kind apart, by switch and threshold; a weight on the threshold passes', () => {
    expect(shownEdges(links, filter(0, 0), none).counts).toEqual({ within: 2, cross: 4 })
    expect(shownEdges(links, filter(0.4, 0.7), none).counts).toEqual({ within: 2, cross: 2 })
    expect(shownEdges(links, filter(0.41, 0.71), none).counts).toEqual({ within: 1, cross: 1 })
    expect(shownEdges(links, filter(0, 0, { within: false, cross: true }), none).counts).toEqual({
      within: 0,
      cross: 4,
    })
  })

  it('leaves out edges to hidden islands and draws the strongest last', () => {
    const { counts, drawn } = shownEdges(links, filter(0, 0), new Set([2]))
    expect(counts).toEqual({ within: 2, cross: 3 })
    expect(drawn).toEqual([4, 1, 5, 2, 0])
  })

  it('draws none above the limit and says that bridges stand in', () => {
    const dense = shownEdges(many(MAX_DRAWN + 1, 4), filter(0, 0), none)
    expect(dense).toMatchObject({ bridged: true, drawn: [] })
    expect(dense.counts.within + dense.counts.cross).toBe(MAX_DRAWN + 1)
    expect(shownEdges(many(MAX_DRAWN, 4), filter(0, 0), none).drawn).toHaveLength(MAX_DRAWN)
  })
})

describe('startingFilter', () => {
  it('starts at 0 where all edges can be drawn', () => {
    expect(startingFilter(graph.edges).within.min).toBe(0)
  })

  it('starts where at most the limit is drawn', () => {
    const dense = many(15_000, 4)
    const start = startingFilter(dense.edges)
    const { counts, bridged } = shownEdges(dense, start, none)
    expect(bridged).toBe(false)
    expect(start.cross.min).toBeGreaterThan(0.5)
    expect(counts.within + counts.cross).toBeGreaterThan(3500)
  })

  it('starts at 0 with bridges where thresholds would leave too little', () => {
    const start = startingFilter(many(60_000, 4).edges)
    expect([start.within.min, start.cross.min]).toEqual([0, 0])
  })
})

describe('bridges', () => {
  it('joins islands by the weight between them, the strongest at full strength', () => {
    const found = bridges(links, 3, filter(0, 0), none)
    expect(found.map(({ a, b, edges }) => [a, b, edges])).toEqual([
      [0, 1, 3],
      [1, 2, 1],
    ])
    expect(found[0]!.strength).toBe(1)
    expect(found[1]!.strength).toBeCloseTo(Math.sqrt(0.7 / 1.7), 6)
  })

  it('follows the filter and hidden islands', () => {
    expect(bridges(links, 3, filter(0, 0.75), none)).toHaveLength(1)
    expect(bridges(links, 3, filter(0, 0), new Set([1]))).toEqual([])
  })
})

describe('incidence and focus', () => {
  const incident = incidence(8, graph.edges)

  it('lists the edges of each task', () => {
    const of = (task: number) => [...incident.edge.slice(incident.start[task]!, incident.start[task + 1]!)].sort()
    expect(of(0)).toEqual([0, 2])
    expect(of(4)).toEqual([2, 3, 5])
    expect(of(3)).toEqual([])
  })

  it('reaches each task at its nearest hop and never the task itself', () => {
    const focus = focusOf(graph, incident, 0, 2, filter(0, 0), none)
    expect(focus.first.sort()).toEqual([1, 4])
    expect(focus.second.sort()).toEqual([2, 7])
    expect(focus.firstEdges.sort()).toEqual([0, 2])
    expect(focus.secondEdges.sort()).toEqual([1, 3])
  })

  it('stops at one hop, at thresholds and at hidden islands', () => {
    expect(focusOf(graph, incident, 0, 1, filter(0, 0), none).second).toEqual([])
    expect(focusOf(graph, incident, 0, 2, filter(0.95, 0.75), none).first).toEqual([4])
    expect(focusOf(graph, incident, 0, 2, filter(0, 0), new Set([1])).first).toEqual([1])
  })

  it('writes counts as shown of all', () => {
    const shown = shownEdges(links, filter(0.5, 0), none)
    expect(edgeCountWords(graph, shown, null)).toEqual({ within: '1 of 2', cross: '4 of 4' })
    const focus = focusOf(graph, incident, 0, 2, filter(0, 0), none)
    expect(edgeCountWords(graph, shown, focus)).toEqual({ within: '1 and 1 of 2', cross: '1 and 1 of 4' })
  })
})
