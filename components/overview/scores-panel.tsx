'use client'
/* Owns the trainer's own evaluations, one small chart each, drawn beside: training reward alone cannot say whether it learns. */
import type { ChartMarker } from '@/components/charts/chart-series'
import { overrideMarkers } from '@/components/charts/override-markers'
import { SmallMultiple } from '@/components/charts/small-multiple'
import { Panel } from '@/components/ui/panel'
import type { Overview } from '@/lib/contract/overview'
import { niceTicks } from '@/lib/view/axis'
import { formatBare, formatFixed } from '@/lib/view/format'

/** Overrides hold from a batch, evaluations stand at a policy: each override at the policy its first batch was made with. */
function policyMarkers({ overrides, series }: Overview): ChartMarker[] {
  const policyOf = new Map(series.map((point) => [point.batch, point.policyVersion]))
  return overrideMarkers(overrides).flatMap((marker) => {
    const x = policyOf.get(marker.x)
    return x === undefined ? [] : [{ ...marker, x }]
  })
}

export function ScoresPanel({ run, overview }: { run: string; overview: Overview }) {
  const { scores } = overview
  const markers = policyMarkers(overview)
  const twin = {
    name: 'evaluations',
    columns: ['evaluation', 'policy', 'value'],
    rows: scores.flatMap((score) => score.points.map((point) => [score.name, point.policyVersion, point.value])),
  }
  return (
    <Panel
      title="The trainer's own evaluations"
      sub="reported by the trainer, by policy"
      twin={twin}
      api={`/runs/${run}/overview`}
    >
      <div className="grid grid-cols-4 gap-x-6 gap-y-[10px] max-md:grid-cols-2">
        {scores.map((score) => {
          const values = score.points.map((point) => point.value)
          const first = score.points[0]?.policyVersion ?? 0
          const newest = score.points.at(-1)
          return (
            <SmallMultiple
              key={score.name}
              name={<span className="truncate text-12">{score.name}</span>}
              newest={formatBare('reward', newest?.value, 'not yet')}
              label={`${score.name}: ${formatBare('reward', newest?.value, 'not yet')}`}
              rows={score.points}
              x={(point) => point.policyVersion}
              xWord="policy"
              xDomain={[first, newest?.policyVersion ?? first + 1]}
              yTicks={niceTicks(Math.min(...values), Math.max(...values), 2)}
              yText={(tick) => formatFixed(tick, 2)}
              markers={markers}
              series={[{ key: 'value', look: 'ours-fine', value: (point) => point.value }]}
            />
          )
        })}
      </div>
    </Panel>
  )
}
