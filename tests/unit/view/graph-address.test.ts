import { describe, expect, it } from 'vitest'
import { filterOf, type GraphAddress, readAddress, writeAddress } from '@/lib/view/graph-address'
import { bentThrough, islandsExtent, nodeRadius } from '@/lib/view/graph-geometry'
import { graphHues, HUES } from '@/lib/view/graph-hues'
import { placeLabels } from '@/lib/view/graph-labels'
import { searchGraph } from '@/lib/view/graph-search'
import { smallGraph } from './graph-fixture'

const WHOLE: GraphAddress = {
  task: null,
  hops: null,
  from: null,
  min: { within: null, cross: null },
  off: [],
  hidden: [],
  camera: null,
  table: false,
  batch: null,
  collapsed: false,
  open: null,
  island: null,
}

const read = (query: string) => readAddress(new URLSearchParams(query))

describe('the address', () => {
  it('is empty for the plain view, and the other way round', () => {
    expect(writeAddress(WHOLE)).toBe('')
    expect(read('')).toEqual(WHOLE)
  })

  it('gives back the whole view', () => {
    const view: GraphAddress = {
      task: 't17',
      hops: 2,
      from: 't31',
      min: { within: 0, cross: 0.55 },
      off: ['cross'],
      hidden: ['e3', 'e5'],
      camera: { x: 0.5, y: -0.25, ratio: 1.2 },
      table: true,
      batch: 12,
      collapsed: true,
      open: 'e4',
      island: null,
    }
    expect(read(writeAddress(view))).toEqual(view)
  })

  it('leaves out what it cannot read', () => {
    const view = read('within=2&cross=abc&hops=3&camera=1,2&off=sideways&task=&table=yes')
    expect(view).toEqual(WHOLE)
    expect(read('camera=0.5,0.5,0').camera).toBeNull()
    expect(read('camera=NaN,0,1').camera).toBeNull()
    expect(read('within=').min.within).toBeNull()
  })

  it('keeps a threshold of 0 apart from none', () => {
    const starting = { within: { on: true, min: 0.4 }, cross: { on: true, min: 0.6 } }
    expect(filterOf(read('within=0&off=cross'), starting)).toEqual({
      within: { on: true, min: 0 },
      cross: { on: false, min: 0.6 },
    })
  })
})

describe('hues', () => {
  const island = (i: number, hue: number | null) => ({
    ...smallGraph().environments[0]!,
    id: `e${i}`,
    hue,
    tasks: 100 - i,
    x: 50 * (i % 6),
    y: 50 * Math.floor(i / 6),
  })

  it('keeps given hues and lends the others so that the nearest islands differ', () => {
    const islands = Array.from({ length: 36 }, (_, i) => island(i, i < 11 ? i + 1 : null))
    const hues = graphHues(islands)
    expect(hues.slice(0, 11)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    expect(hues.every((hue) => hue >= 1 && hue <= HUES)).toBe(true)
    for (const [i, a] of islands.entries()) {
      for (const [j, b] of islands.entries()) {
        const near = Math.abs(a.x - b.x) + Math.abs(a.y - b.y) === 50
        if (i < j && near && j >= 11) expect([i, j, hues[i] === hues[j]]).toEqual([i, j, false])
      }
    }
    expect(graphHues(islands)).toEqual(hues)
  })
})

describe('geometry', () => {
  it('never lets two nodes touch, and grows with the predicted variance', () => {
    expect(nodeRadius(0)).toBe(1.8)
    expect(nodeRadius(0.25)).toBeCloseTo(4.4, 9)
    expect(nodeRadius(0.4)).toBeLessThan(5)
    expect(nodeRadius(0.1)).toBeGreaterThan(nodeRadius(0.05))
  })

  it('boxes all islands, also none', () => {
    expect(islandsExtent(smallGraph().environments)).toEqual({ x: [-20, 220], y: [-20, 20] })
    expect(islandsExtent([])).toEqual({ x: [-1, 1], y: [-1, 1] })
  })

  it('bends to one side by a part of the length', () => {
    expect(bentThrough({ x: 0, y: 0 }, { x: 10, y: 0 }, 0.2)).toEqual({ x: 5, y: 2 })
  })
})

describe('labels', () => {
  const wish = (x: number, y: number, kept: boolean) => ({
    x,
    y,
    gap: 8,
    width: 60,
    height: 14,
    kept,
    sides: ['right', 'left', 'above', 'below'] as const,
  })
  const bounds = { width: 400, height: 300 }

  it('stands beside its mark, on another side where the first is taken, further out where all are', () => {
    const wishes = Array.from({ length: 7 }, () => wish(200, 150, true))
    const places = placeLabels(wishes, bounds)
    expect(places).toHaveLength(7)
    expect(places[0]).toMatchObject({ x: 208, y: 150, led: false })
    expect(places[1]).toMatchObject({ x: 132, y: 150 })
    expect(places.slice(4).every((place) => place.led)).toBe(true)
    for (const a of places) {
      for (const b of places) {
        if (a.index < b.index) expect(Math.abs(a.x - b.x) >= 60 || Math.abs(a.y - b.y) >= 14).toBe(true)
      }
    }
  })

  it('drops what finds no place unless it is kept, and stays inside', () => {
    const crowd = Array.from({ length: 6 }, () => wish(200, 150, false))
    expect(placeLabels(crowd, bounds)).toHaveLength(4)
    expect(placeLabels([wish(398, 150, true)], bounds)[0]!.x).toBe(330)
    const covered = [{ left: 0, top: 0, right: 400, bottom: 300 }]
    expect(placeLabels([wish(200, 150, false)], bounds, covered)).toEqual([])
  })
})

describe('search', () => {
  const graph = smallGraph()
  it('finds islands first, then keys that begin so, then keys that hold it', () => {
    expect(searchGraph(graph, 'sql').map((match) => match.label)).toEqual(['SQL tools', 'sql_7'])
    expect(searchGraph(graph, 'RET').map((match) => match.label)).toEqual([
      'retail',
      'retail_4',
      'retail_5',
      'retail_6',
    ])
    expect(searchGraph(graph, '_7').map((match) => match.label)).toEqual(['sql_7'])
    expect(searchGraph(graph, ' ')).toEqual([])
    expect(searchGraph(graph, 'refund')).toEqual([])
  })
})
