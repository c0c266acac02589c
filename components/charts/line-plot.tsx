'use client'
/* Owns what Recharts draws: gridlines, band, lines, marker lines, the shared pointer. Text over it is the frame's.
   Invariant: no animation, gaps stay gaps, the domain is given. */
import type { ReactNode } from 'react'
import { Area, ComposedChart, Line, ReferenceLine, Tooltip, XAxis, YAxis } from 'recharts'
import { type ChartBand, type ChartSeries, QUIET_LOOKS, STROKES } from './chart-series'

type PlotRow = { x: number; band: [number, number] | null; at: number } & Record<
  string,
  number | [number, number] | null
>

interface LinePlotProps<Row> {
  rows: readonly Row[]
  x: (row: Row) => number
  series: readonly ChartSeries<Row>[]
  band?: ChartBand<Row>
  level?: number
  /** Solid lines: across, as the zero of a difference, and up, at a place that counts. */
  base?: number
  rule?: number
  markers: readonly number[]
  xDomain: readonly [number, number]
  yTicks: readonly number[]
  tip?: (row: Row) => ReactNode
  /** The pointer is on this chart, not on another one that shares it. */
  pointed: boolean
}

function plotRows<Row>({ rows, x, series, band }: LinePlotProps<Row>): PlotRow[] {
  return rows.map((row, at) => {
    const low = band?.low(row) ?? null
    const high = band?.high(row) ?? null
    const values = Object.fromEntries(series.map((one) => [one.key, one.value(row)]))
    return { ...values, x: x(row), at, band: low === null || high === null ? null : [low, high] }
  })
}

export function LinePlot<Row>(props: LinePlotProps<Row>) {
  const { rows, series, yTicks, xDomain, tip } = props
  const data = plotRows(props)
  return (
    <ComposedChart
      data={data}
      responsive
      style={{ width: '100%', height: '100%' }}
      margin={{ top: 0, right: 0, bottom: 0, left: 0 }}
      syncId="batch"
      syncMethod="value"
      accessibilityLayer={false}
    >
      <XAxis dataKey="x" type="number" domain={[...xDomain]} hide allowDataOverflow />
      <YAxis type="number" domain={[yTicks[0] ?? 0, yTicks.at(-1) ?? 1]} hide allowDataOverflow width={0} />
      {yTicks.map((tick) => (
        <ReferenceLine key={tick} y={tick} stroke="var(--line-1)" strokeWidth={1} />
      ))}
      {props.band !== undefined && (
        <Area
          dataKey="band"
          stroke="none"
          fill={props.band.quiet === true ? 'var(--surface-3)' : 'var(--series-band)'}
          fillOpacity={props.band.quiet === true ? 0.8 : 1}
          isAnimationActive={false}
          activeDot={false}
        />
      )}
      {props.level !== undefined && (
        <ReferenceLine y={props.level} stroke="var(--text-3)" strokeWidth={1.25} strokeDasharray="1 3" />
      )}
      {props.base !== undefined && <ReferenceLine y={props.base} stroke="var(--line-control)" strokeWidth={1} />}
      {props.rule !== undefined && <ReferenceLine x={props.rule} stroke="var(--text-2)" strokeWidth={1} />}
      {props.markers.map((at) => (
        <ReferenceLine key={at} x={at} stroke="var(--line-control)" strokeWidth={1} strokeDasharray="2 3" />
      ))}
      {series.map((one) => {
        const look = STROKES[one.look]
        return (
          <Line
            key={one.key}
            dataKey={one.key}
            stroke={look.stroke}
            strokeWidth={look.width}
            strokeDasharray={look.dash}
            strokeOpacity={look.opacity ?? 1}
            dot={false}
            activeDot={QUIET_LOOKS.includes(one.look) ? false : { r: 3, stroke: 'none', fill: look.stroke }}
            connectNulls={false}
            isAnimationActive={false}
          />
        )
      })}
      <Tooltip
        isAnimationActive={false}
        cursor={{ stroke: 'var(--line-control)', strokeWidth: 1 }}
        wrapperStyle={{ zIndex: 5, outline: 'none' }}
        content={({ active, payload }) => {
          const at = (payload[0]?.payload as PlotRow | undefined)?.at
          const row = at === undefined ? undefined : rows[at]
          if (active !== true || props.pointed !== true || tip === undefined || row === undefined) return null
          return <div className="pop tip">{tip(row)}</div>
        }}
      />
    </ComposedChart>
  )
}
