'use client'
/* Owns a chart of shares that add up to 1, stacked over batches: frame, ticks, a label beside each layer. Recharts draws inside.
   Invariant: layers stack from the last given at the bottom to the first on top; labels keep 15 px apart; unknown shares leave a gap. */
import { type ReactNode, useState } from 'react'
import { Area, ComposedChart, ReferenceLine, Tooltip, XAxis, YAxis } from 'recharts'
import { stepTicks } from '@/lib/view/axis'
import { spreadLabels } from '@/lib/view/spread-labels'
import { type ChartMarker, joinMarkers } from './chart-series'
import { OverrideFlag } from './override-flag'

const TOP = 14
const BOTTOM = 20
const LABEL_GAP = 15
/** Letters that fit above the plot. */
const MOST_MARKERS = 4
const Y_TICKS = [0, 0.5, 1]

export interface StackedLayer {
  key: string
  fill: string
  /** share 0 to 1 at each x, null = unknown */
  values: readonly (number | null)[]
  end: { figure: string; word: string }
}

export interface StackedChartProps {
  /** What the chart says, for who cannot see it. */
  label: string
  at: readonly number[]
  xWord: string
  markers: readonly ChartMarker[]
  layers: readonly StackedLayer[]
  tip: (position: number) => ReactNode
  height: number
  left?: number
  right: number
}

export function StackedChart({ label, at, xWord, markers, layers, tip, height, left = 42, right }: StackedChartProps) {
  const [pointed, setPointed] = useState(false)
  const plot = height - TOP - BOTTOM
  const first = at[0] ?? 0
  const last = Math.max(at.at(-1) ?? 1, first + 1)
  const single = at.length === 1
  // one batch is drawn as wide as the plot: an area of one point would not show
  const drawn = single ? [0, 0] : at.map((_, i) => i)
  const rows = drawn.map((i, place) => ({
    x: single && place === 1 ? last : (at[i] ?? 0),
    i,
    ...Object.fromEntries(layers.map(({ key, values }) => [key, values[i] ?? null])),
  }))
  const upwards = [...layers].reverse()
  let below = 0
  const ends = upwards.map((layer) => {
    const share = layer.values.at(-1) ?? 0
    const middle = below + share / 2
    below += share
    return { ...layer, middle }
  })
  const places = spreadLabels(
    ends.map(({ middle }) => (1 - middle) * plot),
    LABEL_GAP,
    plot,
  )
  return (
    <figure
      className="chart"
      aria-label={label}
      style={{ height, '--left': `${left}px`, '--right': `${right}px` } as React.CSSProperties}
      onPointerEnter={() => setPointed(true)}
      onPointerLeave={() => setPointed(false)}
    >
      <div className="chart-plot">
        <div className="h-full" aria-hidden="true">
          <ComposedChart
            data={rows}
            responsive
            style={{ width: '100%', height: '100%' }}
            margin={{ top: 0, right: 0, bottom: 0, left: 0 }}
            syncId="batch"
            syncMethod="value"
            accessibilityLayer={false}
          >
            <XAxis dataKey="x" type="number" domain={[first, last]} hide allowDataOverflow />
            <YAxis type="number" domain={[0, 1]} hide allowDataOverflow width={0} />
            {upwards.map(({ key, fill }) => (
              <Area
                key={key}
                dataKey={key}
                stackId="shares"
                stroke="none"
                fill={fill}
                fillOpacity={1}
                activeDot={false}
                connectNulls={false}
                isAnimationActive={false}
              />
            ))}
            {[...new Set(markers.map(({ x }) => x))].map((x) => (
              <ReferenceLine key={x} x={x} stroke="var(--surface-0)" strokeWidth={1} strokeDasharray="2 3" />
            ))}
            <Tooltip
              isAnimationActive={false}
              cursor={{ stroke: 'var(--line-control)', strokeWidth: 1 }}
              wrapperStyle={{ zIndex: 5, outline: 'none' }}
              content={({ active, payload }) => {
                const i = (payload[0]?.payload as { i: number } | undefined)?.i
                if (active !== true || pointed !== true || i === undefined) return null
                return <div className="pop tip">{tip(i)}</div>
              }}
            />
          </ComposedChart>
        </div>
        {joinMarkers(
          markers.filter(({ x }) => x >= first && x <= last),
          MOST_MARKERS,
          (last - first) / (3 * MOST_MARKERS),
        ).map((joined) => (
          <OverrideFlag key={joined.word} joined={joined} left={(joined.x - first) / (last - first)} />
        ))}
        {ends.map(({ key, fill, end }, i) => (
          <span key={key} className="chart-end" style={{ top: places[i] }}>
            <i className="chart-swatch" style={{ background: fill }} />
            <b>{end.figure}</b> {end.word}
          </span>
        ))}
      </div>
      {Y_TICKS.map((tick) => (
        <span key={tick} className="chart-y" style={{ top: TOP + (1 - tick) * plot }}>
          {tick * 100}
          {tick === 1 ? '\u00a0%' : ''}
        </span>
      ))}
      <div className="chart-x">
        {stepTicks(first, single ? first : last, 3).map((tick, i) => (
          <span
            key={tick}
            data-first={i === 0 ? '' : undefined}
            style={{ left: `${((tick - first) / (last - first)) * 100}%` }}
          >
            {i === 0 ? `${xWord} ${tick}` : tick}
          </span>
        ))}
      </div>
    </figure>
  )
}
