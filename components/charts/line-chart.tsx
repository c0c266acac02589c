'use client'
/* Owns a chart over batches: the frame of fixed height, ticks, labels at the lines' ends, letters of overrides. Recharts draws inside.
   Invariant: the unit stands once, on the top tick; the x axis names itself at its first tick; labels keep 15 px apart. */
import { type ReactNode, useState } from 'react'
import { stepTicks } from '@/lib/view/axis'
import { lastKnown } from '@/lib/view/series'
import { spreadLabels } from '@/lib/view/spread-labels'
import { type ChartBand, type ChartMarker, type ChartPoint, type ChartSeries, joinMarkers } from './chart-series'
import { LinePlot } from './line-plot'
import { OverrideFlag } from './override-flag'

const TOP = 14
const BOTTOM = 20
const LABEL_GAP = 15

export interface LineChartProps<Row> {
  /** What the chart says, for who cannot see it. */
  label: string
  rows: readonly Row[]
  x: (row: Row) => number
  /** The same range for all charts of a page. */
  xDomain: readonly [number, number]
  /** "batch": stands before the first x tick. */
  xWord?: string
  xTickCount?: number
  /** Where the x ticks stand; without it whole numbers from end to end. */
  xTicks?: readonly number[]
  /** The figure of an x tick; without it the number as it is. */
  xText?: (tick: number) => string
  series: readonly ChartSeries<Row>[]
  band?: ChartBand<Row>
  points?: readonly ChartPoint[]
  level?: { value: number; figure: string; word: string }
  markers?: readonly ChartMarker[]
  /** Letters that fit above the plot; more join. */
  mostMarkers?: number
  /** A solid line at one place of the x axis, its figure over it. */
  rule?: { x: number; figure: string } | null
  /** A solid line across: the zero of a difference. */
  base?: number
  yTicks: readonly number[]
  /** The tick's figure; the top one gets the unit. */
  yText: (tick: number) => string
  unit?: string
  tip?: (row: Row) => ReactNode
  /** Quiet words inside the plot at a place of the data. */
  note?: { x: number; y: number; text: string } | null
  height: number
  /** px left of the plot for ticks, right of it for the labels of the ends. */
  left?: number
  right?: number
}

interface EndLabel {
  key: string
  value: number
  figure: string
  word: string
  ours: boolean
}

export function LineChart<Row>(props: LineChartProps<Row>) {
  const { rows, series, xDomain, yTicks, height, left = 40, right = 8 } = props
  const [pointed, setPointed] = useState(false)
  const plot = height - TOP - BOTTOM
  const low = yTicks[0] ?? 0
  const high = yTicks.at(-1) ?? 1
  const part = (value: number) => Math.min(1, Math.max(0, (high - value) / (high - low)))
  const across = (x: number) => (xDomain[1] > xDomain[0] ? (x - xDomain[0]) / (xDomain[1] - xDomain[0]) : 0)
  const markers = (props.markers ?? []).filter((marker) => marker.x >= xDomain[0] && marker.x <= xDomain[1])

  const ends: EndLabel[] = []
  for (const one of series) {
    const last = lastKnown(rows, one.value)
    const value = last === null ? null : one.value(last)
    if (one.end !== undefined && value !== null) {
      ends.push({ key: one.key, value, ...one.end, ours: one.look.startsWith('ours') })
    }
  }
  if (props.level !== undefined) ends.push({ key: 'level', ...props.level, ours: false })
  const places = spreadLabels(
    ends.map((end) => part(end.value) * plot),
    LABEL_GAP,
    plot,
  )
  const xTicks = props.xTicks ?? stepTicks(xDomain[0], xDomain[1], props.xTickCount ?? 5)

  return (
    <figure
      className="chart"
      aria-label={props.label}
      style={{ height, '--left': `${left}px`, '--right': `${right}px` } as React.CSSProperties}
      onPointerEnter={() => setPointed(true)}
      onPointerLeave={() => setPointed(false)}
    >
      <div className="chart-plot">
        <div className="h-full" aria-hidden="true">
          <LinePlot
            rows={rows}
            x={props.x}
            series={series}
            band={props.band}
            level={props.level?.value}
            base={props.base}
            rule={props.rule?.x}
            markers={[...new Set(markers.map((marker) => marker.x))]}
            xDomain={xDomain}
            yTicks={yTicks}
            tip={props.tip}
            pointed={pointed}
          />
        </div>
        {props.rule !== undefined && props.rule !== null && (
          <b className="chart-flag" style={{ left: `${across(props.rule.x) * 100}%` }}>
            {props.rule.figure}
          </b>
        )}
        {joinMarkers(
          markers.filter((marker) => marker.letter !== ''),
          props.mostMarkers ?? 8,
          (xDomain[1] - xDomain[0]) / (3 * (props.mostMarkers ?? 8)),
        ).map((joined) => (
          <OverrideFlag key={joined.word} joined={joined} left={across(joined.x)} />
        ))}
        {series.map((one) => {
          const last = one.end === undefined ? null : lastKnown(rows, one.value)
          return last === null ? null : (
            <EndMark key={one.key} series={one} row={last} left={across(props.x(last))} part={part} />
          )
        })}
        {(props.points ?? []).map(({ x, y, hollow }) => (
          <i
            key={`${x}-${y}-${String(hollow)}`}
            className="chart-point"
            data-hollow={hollow ? '' : undefined}
            style={{ left: `${across(x) * 100}%`, top: `${part(y) * 100}%` }}
          />
        ))}
        {ends.map((end, i) => (
          <span key={end.key} className="chart-end" data-ours={end.ours ? '' : undefined} style={{ top: places[i] }}>
            <b>{end.figure}</b> {end.word}
          </span>
        ))}
        {props.note !== undefined && props.note !== null && (
          <span
            className="chart-note"
            style={{ left: `${across(props.note.x) * 100}%`, top: `${part(props.note.y) * 100}%` }}
          >
            {props.note.text}
          </span>
        )}
      </div>
      {yTicks.map((tick, i) => (
        <span key={tick} className="chart-y" style={{ top: TOP + part(tick) * plot }}>
          {props.yText(tick)}
          {i === yTicks.length - 1 && props.unit !== undefined ? `\u00a0${props.unit}` : ''}
        </span>
      ))}
      <div className="chart-x">
        {xTicks.map((tick, i) => (
          <span key={tick} data-first={i === 0 ? '' : undefined} style={{ left: `${across(tick) * 100}%` }}>
            {i === 0 && props.xWord !== undefined ? `${props.xWord} ` : ''}
            {props.xText === undefined ? tick : props.xText(tick)}
          </span>
        ))}
      </div>
    </figure>
  )
}

/* The dot at the end of our line, and the bar of the interval at the end of a measured one. */
function EndMark<Row>({
  series,
  row,
  left,
  part,
}: {
  series: ChartSeries<Row>
  row: Row
  left: number
  part: (value: number) => number
}) {
  const { interval, look } = series
  const at = `${left * 100}%`
  return (
    <>
      {interval !== undefined && interval !== null && (
        <span
          className="absolute w-0 border-l-[1.25px] border-ink-2"
          style={{
            left: at,
            top: `${part(interval.high) * 100}%`,
            height: `${(part(interval.low) - part(interval.high)) * 100}%`,
          }}
        />
      )}
      {look === 'ours' && (
        <i className="chart-point" style={{ left: at, top: `${part(series.value(row) ?? 0) * 100}%` }} />
      )}
    </>
  )
}
