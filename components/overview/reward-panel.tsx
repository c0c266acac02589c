'use client'
/* Owns one reward over batches. Chosen tasks and the whole set each have a panel of their own and never share a chart. */
import { LineChart } from '@/components/charts/line-chart'
import { overrideMarkers } from '@/components/charts/override-markers'
import { Num } from '@/components/ui/num'
import { Panel } from '@/components/ui/panel'
import { NotYetState } from '@/components/ui/panel-state'
import { TipList } from '@/components/ui/tip-list'
import type { Overview } from '@/lib/contract/overview'
import { formatBare, formatFixed } from '@/lib/view/format'
import { rewardTwin } from '@/lib/view/overview-twins'
import { brokenAt } from '@/lib/view/restore-words'

const HEIGHT = 126

const WORDS = {
  rewardWhole: {
    title: 'Reward, whole set',
    side: 'uniform slots',
    computed:
      'Mean reward of the rollouts of the uniform slots, mean of 10 batches: an honest sample of the whole task set.',
  },
  rewardChosen: {
    title: 'Reward, chosen tasks',
    side: 'not the whole set',
    computed:
      'Mean reward of the rollouts of chosen tasks. It stays near the middle, because half-solved tasks are chosen.',
  },
} as const

export function RewardPanel({
  run,
  overview,
  mark,
  which,
  xDomain,
  yTicks,
}: {
  run: string
  overview: Overview
  /** where the run went on after a restore */
  mark: { x: number; figure: string } | null
  which: 'rewardWhole' | 'rewardChosen'
  xDomain: readonly [number, number]
  /** The same for both rewards. */
  yTicks: readonly number[]
}) {
  const words = WORDS[which]
  const now = overview[which]
  return (
    <Panel
      span={3}
      title={words.title}
      twin={rewardTwin(overview, which)}
      api={`/runs/${run}/overview`}
      twinHeight={HEIGHT + 22}
    >
      <div className="figure min-h-[22px]">
        {now !== null && (
          <b>
            <Num kind="reward" value={now.value} absent="not yet" />
          </b>
        )}
        <span title={words.computed} className="explained">
          {now !== null && which === 'rewardWhole' && `± ${formatFixed((now.high - now.low) / 2, 2)}, `}
          {which === 'rewardChosen' && now !== null && now.value > 0.35 && now.value < 0.6
            ? 'half-solved by design'
            : words.side}
        </span>
      </div>
      {now === null ? (
        <NotYetState height={HEIGHT}>
          {which === 'rewardWhole' ? 'No uniform slot is back.' : 'No chosen group is back.'}
        </NotYetState>
      ) : (
        <LineChart
          label={`${words.title}: ${formatBare('reward', now.value, 'not yet')}`}
          rows={brokenAt(overview.series, mark)}
          x={(point) => point.batch}
          xDomain={xDomain}
          xWord="batch"
          xTickCount={3}
          height={HEIGHT}
          yTicks={yTicks}
          yText={(tick) => formatFixed(tick, 2)}
          series={[{ key: which, look: 'ours-fine', value: (point) => point[which] }]}
          markers={overrideMarkers(overview.overrides)}
          rule={mark}
          mostMarkers={4}
          tip={(point) => (
            <TipList
              title={`Batch ${point.batch}, policy ${point.policyVersion}`}
              rows={[['reward', formatBare('reward', point[which], 'no group')]]}
              computed={words.computed}
            />
          )}
        />
      )}
    </Panel>
  )
}
