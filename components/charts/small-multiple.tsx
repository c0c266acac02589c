'use client'
/* Owns one of a row of small charts on one scale: a head with its name and newest value, the line, the dashed reference. */
import type { ReactNode } from 'react'
import { LineChart, type LineChartProps } from './line-chart'

export function SmallMultiple<Row>({
  name,
  newest,
  ...chart
}: { name: ReactNode; newest: ReactNode } & Omit<
  LineChartProps<Row>,
  'height' | 'left' | 'right' | 'xTickCount' | 'mostMarkers'
>) {
  return (
    <div className="min-w-0">
      <div className="flex justify-between">
        {name}
        <span className="text-12 font-medium">{newest}</span>
      </div>
      <LineChart
        {...chart}
        height={78}
        left={chart.unit === undefined ? 30 : 40}
        right={8}
        xTickCount={2}
        mostMarkers={3}
      />
    </div>
  )
}
