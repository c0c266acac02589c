'use client'
/* Owns the answer to "does the graph help in this run": the sentence, the models' weights over batches, the losses beside shadows. */
import { useQuery } from '@tanstack/react-query'
import { LineChart } from '@/components/charts/line-chart'
import { useOverrideMarkers } from '@/components/charts/override-markers'
import { Num } from '@/components/ui/num'
import { Panel } from '@/components/ui/panel'
import { ErrorState, LoadingState, NotYetState } from '@/components/ui/panel-state'
import { TipList } from '@/components/ui/tip-list'
import { calibrationQuery } from '@/lib/client/run'
import type { Calibration } from '@/lib/contract/calibration'
import { calibrationTwin, calibrationWords, competing, lookOf, lossRows } from '@/lib/view/calibration-words'
import { formatFixed, formatNumber } from '@/lib/view/format'

const HEIGHT = 178

function Weights({
  run,
  calibration,
  xDomain,
}: {
  run: string
  calibration: Calibration
  xDomain: readonly [number, number]
}) {
  const { markers } = useOverrideMarkers(run)
  const models = competing(calibration)
  const now = calibration.weights.at(-1)?.weights ?? {}
  const share = (value: number | null | undefined) => formatNumber('share', value, 'not yet', { decimals: 0 })
  return (
    <LineChart
      label={`Weight of each model by batch: ${models.map(({ name }) => `${calibrationWords(name)} ${share(now[name])}`).join(', ')}`}
      rows={calibration.weights}
      x={(point) => point.batch}
      xDomain={xDomain}
      xWord="batch"
      height={HEIGHT}
      right={150}
      yTicks={[0, 0.5, 1]}
      yText={(tick) => formatFixed(tick * 100, 0)}
      unit="%"
      series={models.map(({ name }, position) => ({
        key: `model-${position}`,
        look: lookOf(name, position),
        value: (point: Calibration['weights'][number]) => point.weights[name] ?? null,
        end: { figure: share(now[name]), word: calibrationWords(name).toLowerCase() },
      }))}
      markers={markers}
      tip={(point) => (
        <TipList
          title={`Batch ${point.batch}`}
          rows={models.map(({ name }) => [calibrationWords(name), share(point.weights[name])])}
          computed="Models compete by how well each predicted the groups that came, before it took them in. Weights sum to 100 %."
        />
      )}
    />
  )
}

function Losses({ calibration }: { calibration: Calibration }) {
  return (
    <table className="tbl" data-rows="small" aria-label="Log loss of predictors">
      <thead>
        <tr>
          <th scope="col">Predictor</th>
          <th
            scope="col"
            className="num"
            title="Minus the log likelihood of a rollout, over all groups, each scored before it was taken in; lower is better"
          >
            Log loss
          </th>
          <th scope="col" className="num" title="The same over about the last hundred groups">
            Recent
          </th>
        </tr>
      </thead>
      <tbody>
        {lossRows(calibration).map(({ name, kind, logLoss, recentLogLoss }) => (
          <tr key={name} className={kind === 'mixture' ? 'font-medium' : ''}>
            <td>{calibrationWords(name)}</td>
            <td className="num">
              <Num kind="error" value={logLoss} absent="not yet" />
            </td>
            <td className="num">
              <Num kind="error" value={recentLogLoss} absent="not yet" />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

export function GraphHelpsPanel({ run, xDomain }: { run: string; xDomain: readonly [number, number] }) {
  const { data, error, refetch } = useQuery(calibrationQuery(run))
  return (
    <Panel
      title="Does the graph help?"
      sub="each group is predicted before it is taken in; shadows are scored and never used"
      twin={data === undefined ? undefined : calibrationTwin(data)}
      twinHeight={HEIGHT + 28}
    >
      {data === undefined && error === null && <LoadingState height={HEIGHT + 28} />}
      {data === undefined && error !== null && (
        <ErrorState height={HEIGHT + 28} title="Could not load the predictors" onRetry={() => void refetch()}>
          {error.message}
        </ErrorState>
      )}
      {data !== undefined && (
        <>
          <p className={data.helps.verdict === 'not_yet' ? 'text-ink-2' : 'font-medium'}>{data.helps.sentence}</p>
          <div className="mt-2 grid grid-cols-12 gap-x-7 gap-y-4">
            <div className="col-span-7 max-lg:col-span-12">
              {data.weights.length === 0 ? (
                <NotYetState height={HEIGHT}>
                  Weights are kept with each batch, and no batch has been asked for.
                </NotYetState>
              ) : (
                <Weights run={run} calibration={data} xDomain={xDomain} />
              )}
            </div>
            <div className="col-span-5 tbl-scroll max-lg:col-span-12">
              <Losses calibration={data} />
            </div>
          </div>
        </>
      )}
    </Panel>
  )
}
