'use client'
/* Owns the error of predictions over time: ours in ink, what it is compared with in grey, the placebo, and the best possible as a floor. */
import Link from 'next/link'
import { LineChart } from '@/components/charts/line-chart'
import { OverrideLegend, useOverrideMarkers } from '@/components/charts/override-markers'
import { tabPath } from '@/components/shell/run-tabs'
import { Panel } from '@/components/ui/panel'
import { NotYetState } from '@/components/ui/panel-state'
import { TipList } from '@/components/ui/tip-list'
import type { Calibration } from '@/lib/contract/calibration'
import { niceTicks } from '@/lib/view/axis'
import { calibrationWords, lineWords, lookOf } from '@/lib/view/calibration-words'
import { formatCount, formatFixed, formatNumber } from '@/lib/view/format'
import { errorsTwin } from '@/lib/view/predictions-twins'
import { CHART_HEIGHT } from './reliability-panel'

interface Row {
  at: number
  errors: (number | null)[]
  best: number | null
}

function rowsOf({ over }: Calibration): Row[] {
  return over.at.map((at, i) => ({
    at,
    errors: over.errors.map(({ values }) => values[i] ?? null),
    best: over.best[i] ?? null,
  }))
}

export function ErrorPanel({ run, calibration }: { run: string; calibration: Calibration }) {
  const { over } = calibration
  const { points, markers } = useOverrideMarkers(run)
  const rows = rowsOf(calibration)
  const known = rows.flatMap(({ errors, best }) => [...errors, best]).filter((value) => value !== null)
  const yTicks = niceTicks(Math.min(...known), Math.max(...known), 6)
  const unit = over.of === 'batch' ? formatCount(over.window, 'batch', 'batches') : formatCount(over.window, 'group')
  const written = (value: number | null) => formatNumber('error', value, 'no group')
  const newest = (values: readonly (number | null)[]) => values.findLast((value) => value !== null) ?? null
  return (
    <Panel
      span={7}
      title="Error over time"
      sub={`root mean square, mean of ${unit}; lower is better`}
      api={`/runs/${run}/calibration`}
      twin={errorsTwin(calibration)}
      twinHeight={CHART_HEIGHT + 38}
    >
      {known.length === 0 ? (
        <NotYetState height={CHART_HEIGHT + 38}>
          The line starts with the first group that comes back with two trusted rollouts.
        </NotYetState>
      ) : (
        <>
          <LineChart
            label={`Error of the predicted variance by ${over.of}, newest: ${over.errors.map(({ name, values }) => `${calibrationWords(name)} ${written(newest(values))}`).join(', ')}, best possible ${written(newest(over.best))}`}
            rows={rows}
            x={(row) => row.at}
            xDomain={[
              over.of === 'batch' ? Math.min(1, over.at[0] ?? 1) : (over.at[0] ?? 1),
              Math.max(2, over.at.at(-1) ?? 2),
            ]}
            xWord={over.of}
            height={CHART_HEIGHT}
            right={142}
            yTicks={yTicks}
            yText={(tick) => formatFixed(tick, 3)}
            markers={over.of === 'batch' ? markers : []}
            series={[
              ...over.errors.map(({ name, values }, p) => ({
                key: `error-${p}`,
                look: lookOf(name),
                value: (row: Row) => row.errors[p] ?? null,
                end: { figure: p === 0 ? written(newest(values)) : '', word: lineWords(name) },
              })),
              {
                key: 'best',
                look: 'floor' as const,
                value: (row: Row) => row.best,
                end: { figure: written(newest(over.best)), word: 'best possible' },
              },
            ]}
            tip={(row) => (
              <TipList
                title={over.of === 'batch' ? `Up to batch ${row.at}` : `Up to group ${formatFixed(row.at, 0)}`}
                rows={[
                  ...over.errors.map(
                    ({ name }, p) => [calibrationWords(name), written(row.errors[p] ?? null)] as const,
                  ),
                  ['best possible', formatNumber('error', row.best, 'not yet')],
                ]}
                computed={`Root of the mean of (predicted − realised variance)², over the groups of the last ${unit}.`}
              />
            )}
          />
          <p className="mt-1.5 flex min-h-8 flex-wrap gap-x-3.5 text-12 text-ink-2">
            <span className="text-ink-3">
              Best possible: the noise ceiling, the error that so few rollouts a group leave even where every prediction
              is right.
            </span>
            {over.of === 'batch' && points.length > 0 && (
              <>
                <OverrideLegend overrides={points} />
                <Link href={tabPath(run, 'steering')}>History</Link>
              </>
            )}
          </p>
        </>
      )}
    </Panel>
  )
}
