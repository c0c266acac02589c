'use client'
/* Owns the learnt weights of the competing models over time. */
import { useOverrideMarkers } from '@/components/charts/override-markers'
import { StackedChart } from '@/components/charts/stacked-chart'
import { Panel } from '@/components/ui/panel'
import { NotYetState } from '@/components/ui/panel-state'
import { TipList } from '@/components/ui/tip-list'
import type { Calibration } from '@/lib/contract/calibration'
import { calibrationWords, fillOf } from '@/lib/view/calibration-words'
import { formatFixed, formatNumber } from '@/lib/view/format'
import { weightsTwin } from '@/lib/view/predictions-twins'

const HEIGHT = 244

export function WeightsPanel({ run, calibration }: { run: string; calibration: Calibration }) {
  const { over, weights } = calibration
  const { markers } = useOverrideMarkers(run)
  const { at, models } = weights
  const share = (value: number | null | undefined) => formatNumber('share', value, 'not yet', { decimals: 0 })
  return (
    <Panel
      span={4}
      title="Learnt model weights"
      sub="share of weight"
      api={`/runs/${run}/calibration`}
      twin={weightsTwin(calibration)}
      twinHeight={HEIGHT + 48}
    >
      {at.length === 0 ? (
        <NotYetState height={HEIGHT + 48}>
          {over.of === 'batch'
            ? 'Weights are kept with each batch, and no batch has been asked for.'
            : 'Weights are kept with each group, and none has come back.'}
        </NotYetState>
      ) : (
        <>
          <StackedChart
            label={`Weight of each model by ${over.of}, newest: ${models.map(({ name, values }) => `${calibrationWords(name)} ${share(values.at(-1))}`).join(', ')}`}
            at={at}
            markers={over.of === 'batch' ? markers : []}
            xWord={over.of}
            height={HEIGHT}
            right={152}
            layers={models.map(({ name, values }, m) => ({
              key: `model-${m}`,
              fill: fillOf(name, m),
              values,
              end: { figure: share(values.at(-1)), word: calibrationWords(name).toLowerCase() },
            }))}
            tip={(i) => (
              <TipList
                title={over.of === 'batch' ? `Batch ${at[i] ?? 0}` : `Up to group ${formatFixed(at[i] ?? 0, 0)}`}
                rows={models.map(({ name, values }) => [calibrationWords(name), share(values[i])])}
                computed="Models compete by how well each predicted the groups that came, before it took them in. Weights sum to 100 %."
              />
            )}
          />
          <p className="mt-1.5 min-h-8 text-12 text-ink-3">
            Four models compete by what they predicted before each group; the prediction is their mean by weight.
          </p>
        </>
      )}
    </Panel>
  )
}
