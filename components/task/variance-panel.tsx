'use client'
/* Owns the chart of predicted against realised variance of one task: predicted hollow, realised filled, one deviation as a band. */
import { LineChart } from '@/components/charts/line-chart'
import { touches, useOverrideMarkers } from '@/components/charts/override-markers'
import { Key } from '@/components/ui/key'
import { Panel } from '@/components/ui/panel'
import { NotYetState } from '@/components/ui/panel-state'
import { TipList } from '@/components/ui/tip-list'
import type { TaskDetail } from '@/lib/contract/task'
import { formatCount, formatFixed, formatNumber } from '@/lib/view/format'
import { varianceTicks } from '@/lib/view/task-chart'
import { historyTwin } from '@/lib/view/task-twin'
import { predictionError } from '@/lib/view/task-verdict'

const HEIGHT = 206

export function VariancePanel({ run, task }: { run: string; task: TaskDetail }) {
  const { markers } = useOverrideMarkers(run, touches(task.task.environment.id, task.task.id))
  const { history, prediction } = task
  const error = predictionError(history)
  const now = { batch: task.batch, predictedVariance: prediction.predictedVariance, spread: prediction.spread }
  const last = history.at(-1)
  // In shadow mode there are no batches: what came back is told apart by its policy.
  const byPolicy = task.batch === 0
  const xWord = byPolicy ? 'policy' : 'batch'
  const xOf = (row: { batch: number; policyVersion: number }) => (byPolicy ? row.policyVersion : row.batch)
  const rows = [
    ...history,
    ...(last === undefined || byPolicy || last.batch < now.batch
      ? [{ ...now, policyVersion: (last?.policyVersion ?? -1) + 1, realisedVariance: null }]
      : []),
  ]
  // A prediction is marked where a group answered it, and now.
  const points = rows.flatMap((row, i) => [
    ...(row.predictedVariance === null || (row.realisedVariance === null && i < rows.length - 1)
      ? []
      : [{ x: xOf(row), y: row.predictedVariance, hollow: true }]),
    ...(row.realisedVariance === null ? [] : [{ x: xOf(row), y: row.realisedVariance, hollow: false }]),
  ])
  return (
    <Panel
      title="Predicted and realised"
      sub="variance, predicted first"
      twin={historyTwin(task)}
      api={`/runs/${run}/tasks/${task.task.id}`}
      twinHeight={HEIGHT}
    >
      {history.length === 0 ? (
        <NotYetState height={HEIGHT}>
          No prediction of this task is stored: it was neither picked nor reported. Now it is{' '}
          {formatFixed(prediction.predictedVariance, 3)}.
        </NotYetState>
      ) : (
        <>
          <LineChart
            label={
              error === null
                ? `Predicted variance by ${xWord}; no group of this task can be compared yet`
                : `Predicted and realised variance, mean error ${formatFixed(error.error, 3)} over ${formatCount(error.groups, 'group')}`
            }
            rows={rows}
            x={xOf}
            xDomain={byPolicy ? [0, Math.max(1, ...rows.map(xOf))] : [1, Math.max(2, task.batch)]}
            xWord={xWord}
            series={[
              {
                key: 'predicted',
                look: 'ours-fine',
                value: (row) => row.predictedVariance,
                end: { figure: formatFixed(prediction.predictedVariance, 3), word: 'now' },
              },
            ]}
            band={{
              quiet: true,
              low: (row) =>
                row.predictedVariance === null || row.spread === null
                  ? null
                  : Math.max(0, row.predictedVariance - row.spread),
              high: (row) =>
                row.predictedVariance === null || row.spread === null ? null : row.predictedVariance + row.spread,
            }}
            points={points}
            markers={byPolicy ? [] : markers}
            yTicks={varianceTicks(points.map(({ y }) => y))}
            yText={(tick) => tick.toFixed(2)}
            tip={(row) => (
              <TipList
                title={byPolicy ? `Policy ${row.policyVersion}` : `Batch ${row.batch}`}
                rows={[
                  ['predicted', formatNumber('variance', row.predictedVariance, 'not stored')],
                  ['one deviation', formatNumber('variance', row.spread, 'not stored')],
                  ['realised', formatNumber('variance', row.realisedVariance, 'no group')],
                ]}
                computed="Realised: unbiased variance of the trusted rewards of its group."
              />
            )}
            height={HEIGHT}
            right={84}
          />
          <div className="keys mt-2">
            <span className="key">
              <i className="point-key" data-hollow="" />
              predicted
            </span>
            <span className="key">
              <i className="point-key" />
              realised
            </span>
            <Key colour="var(--surface-3)">one deviation</Key>
            <span className="text-12 text-ink-3">
              {error === null
                ? 'no group to compare yet'
                : `error ${formatFixed(error.error, 3)} over ${formatCount(error.groups, 'group')}`}
            </span>
          </div>
        </>
      )}
    </Panel>
  )
}
