/* Owns what a chart can draw: series, band, level, markers; and how each looks. No drawing here. */
import type { ReactNode } from 'react'

/** Ours is ink, a reference grey, told apart by dashes; what is raw, or one seed of several, lies thin; the placebo and the floor are no reference. */
export type SeriesLook =
  | 'ours'
  | 'ours-fine'
  | 'ours-seed'
  | 'raw'
  | 'reference'
  | 'reference-dash'
  | 'reference-dots'
  | 'reference-long'
  | 'reference-mixed'
  | 'placebo'
  | 'floor'
  | 'dash'
  | 'dash-seed'
  | 'dots'
  | 'dots-seed'

export interface ChartSeries<Row> {
  key: string
  look: SeriesLook
  value: (row: Row) => number | null
  /** Stands at the right end: figure first, then the word. */
  end?: { figure: string; word: string }
  /** 95 % interval of the end, drawn as a bar. */
  interval?: { low: number; high: number } | null
}

/** A single mark on a line: predicted is hollow, realised filled. */
export interface ChartPoint {
  x: number
  y: number
  hollow: boolean
}

/** Between two values; `quiet` is grey, for a deviation: the tinted one means a difference. */
export interface ChartBand<Row> {
  low: (row: Row) => number | null
  high: (row: Row) => number | null
  quiet?: boolean
}

export interface ChartMarker {
  x: number
  letter: string
  tip: ReactNode
  /** The override that opens on a press; without it the letter only tells. */
  override?: { id: string; sentence: string }
}

export interface JoinedMarkers {
  x: number
  word: string
  markers: ChartMarker[]
}

export const STROKES: Record<SeriesLook, { stroke: string; width: number; dash?: string; opacity?: number }> = {
  ours: { stroke: 'var(--series-main)', width: 2 },
  'ours-fine': { stroke: 'var(--series-main)', width: 1.5 },
  raw: { stroke: 'var(--series-main)', width: 1, opacity: 0.28 },
  reference: { stroke: 'var(--series-ref)', width: 1.5 },
  'reference-dash': { stroke: 'var(--series-ref)', width: 1.5, dash: '5 3' },
  'ours-seed': { stroke: 'var(--series-main)', width: 1, opacity: 0.55 },
  dash: { stroke: 'var(--series-ref)', width: 2, dash: '6 3' },
  'dash-seed': { stroke: 'var(--series-ref)', width: 1, dash: '6 3', opacity: 0.55 },
  dots: { stroke: 'var(--series-ref)', width: 1.75, dash: '1.5 2.5' },
  'dots-seed': { stroke: 'var(--series-ref)', width: 1, dash: '1.5 2.5', opacity: 0.55 },
  'reference-dots': { stroke: 'var(--series-ref)', width: 1.5, dash: '1 3' },
  'reference-long': { stroke: 'var(--series-ref)', width: 1.5, dash: '12 4' },
  'reference-mixed': { stroke: 'var(--series-ref)', width: 1.5, dash: '8 3 2 3' },
  placebo: { stroke: 'var(--term-quota)', width: 1.75, dash: '2 3' },
  floor: { stroke: 'var(--text-3)', width: 1.25, dash: '1 3' },
}

/** Looks without a dot under the pointer. */
export const QUIET_LOOKS: readonly SeriesLook[] = ['raw', 'ours-seed', 'dash-seed', 'dots-seed']

/**
 * Markers of one place join, "A, B", and so do places nearer than `gap` (in units of x) to the first of theirs; of more than
 * `most` places neighbours join too, "C to F" at the first one's place. Loses none, keeps the order.
 */
export function joinMarkers(markers: readonly ChartMarker[], most = 8, gap = 0): JoinedMarkers[] {
  const ordered = [...markers].sort((a, b) => a.x - b.x)
  const places: ChartMarker[][] = []
  for (const marker of ordered) {
    const last = places.at(-1)
    const start = last?.[0]?.x
    if (last !== undefined && start !== undefined && marker.x - start <= gap) last.push(marker)
    else places.push([marker])
  }
  const size = Math.max(1, Math.ceil(places.length / most))
  const joined: JoinedMarkers[] = []
  for (let i = 0; i < places.length; i += size) {
    const part = places.slice(i, i + size).flat()
    const [head, tail] = [part[0], part.at(-1)]
    if (head === undefined || tail === undefined) continue
    const all = part.map(({ letter }) => letter).join(', ')
    joined.push({ x: head.x, word: part.length <= 2 ? all : `${head.letter} to ${tail.letter}`, markers: part })
  }
  return joined
}
