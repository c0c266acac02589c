'use client'
/* Owns the reliability diagram's panel: what was realised where so much was predicted. */
import { Panel } from '@/components/ui/panel'
import { NotYetState } from '@/components/ui/panel-state'
import type { Calibration } from '@/lib/contract/calibration'
import { reliabilityTwin } from '@/lib/view/predictions-twins'
import { ReliabilityChart } from './reliability-chart'

export const CHART_HEIGHT = 268

export function ReliabilityPanel({ run, calibration }: { run: string; calibration: Calibration }) {
  const { reliability } = calibration
  return (
    <Panel
      span={5}
      title="Reliability"
      sub="mean variance of each bin"
      api={`/runs/${run}/calibration`}
      twin={reliabilityTwin(calibration)}
      twinHeight={CHART_HEIGHT + 38}
    >
      {reliability.length === 0 ? (
        <NotYetState height={CHART_HEIGHT + 38}>
          The first group that was predicted is still out. It takes two trusted rollouts to say how its rewards varied.
        </NotYetState>
      ) : (
        <>
          <ReliabilityChart bins={reliability} height={CHART_HEIGHT} />
          <p className="mt-1.5 min-h-8 text-12 text-ink-3">
            Dot size: groups in the bin, hollow under 10. Bars: 95 % interval. Dashed: perfect.
          </p>
        </>
      )}
    </Panel>
  )
}
