'use client'
/* Owns the difference of two configurations over the axis, with its interval over seeds. */
import { LineChart } from '@/components/charts/line-chart'
import { Panel } from '@/components/ui/panel'
import { NothingState, NotYetState } from '@/components/ui/panel-state'
import { TipList } from '@/components/ui/tip-list'
import type { Comparison } from '@/lib/contract/comparison'
import { tickDecimals } from '@/lib/view/axis'
import type { Configuration } from '@/lib/view/compare-configurations'
import { differenceTicks, differenceTwin, type Place, pairLines, short } from '@/lib/view/compare-lines'
import { commonIndex, differenceSeries, MEASURES } from '@/lib/view/compare-measures'
import { bandWords, intervalWords } from '@/lib/view/compare-verdict'
import { AXIS_WORDS, placeFigure, placeWords, taskSetsOf } from '@/lib/view/compare-words'
import { formatFixed } from '@/lib/view/format'
import type { SeedDifference } from '@/lib/view/seed-difference'
import { domainOf, ticksOf } from './measure-panel'

const HEIGHT = 168

export function DifferencePanel({
  comparison,
  pair,
  measure,
  places,
  api,
}: {
  comparison: Comparison
  pair: readonly [Configuration, Configuration] | null
  measure: 'informativeShare' | 'reward'
  places: readonly Place[]
  api: string
}) {
  const sub = measure === 'informativeShare' ? 'points of informative share' : 'reward, whole set'
  const title = pair === null ? `Difference of ${sub}` : `${short(pair[0].name, 24)} minus ${short(pair[1].name, 24)}`
  if (pair === null) {
    return (
      <Panel span={6} title={title}>
        <NothingState title="Nothing to set it against" height={HEIGHT}>
          Add a run of another configuration; the same seeds make pairs.
        </NothingState>
      </Panel>
    )
  }
  const sets = taskSetsOf([...pair[0].runs, ...pair[1].runs])
  const differences = sets.length > 1 ? [] : differenceSeries(comparison, pair, measure)
  const known = differences.filter((difference) => difference !== null)
  const twin = differenceTwin(comparison, pair, measure, differences)
  return (
    <Panel span={6} title={title} sub={sub} twin={twin} twinHeight={HEIGHT} api={api}>
      {sets.length > 1 ? (
        <NothingState title="No difference across task sets" height={HEIGHT}>
          Other tasks have other rewards. Compare runs of one task set.
        </NothingState>
      ) : known.length === 0 ? (
        <NotYetState height={HEIGHT}>
          {measure === 'reward'
            ? 'Not both of them measure the reward on the whole set: that takes uniform slots.'
            : 'Both need a step in common.'}
        </NotYetState>
      ) : (
        <DifferenceChart
          comparison={comparison}
          pair={pair}
          measure={measure}
          places={places}
          differences={differences}
        />
      )}
      <p className="mt-2 min-h-4 text-12 text-ink-2">{known.length > 0 && bandWords(known.at(-1) ?? null)}</p>
    </Panel>
  )
}

function DifferenceChart({
  comparison,
  pair,
  measure,
  places,
  differences,
}: {
  comparison: Comparison
  pair: readonly [Configuration, Configuration]
  measure: 'informativeShare' | 'reward'
  places: readonly Place[]
  differences: readonly (SeedDifference | null)[]
}) {
  const { axis } = comparison
  const scale = measure === 'informativeShare' ? 100 : 1
  const pairs = pairLines(pair, measure).map((line) => ({
    ...line,
    // not beyond where the difference is taken
    value: (place: Place) => ((differences[place.at] ?? null) === null ? null : line.value(place)),
  }))
  const yTicks = differenceTicks(differences, pairs, places, commonIndex(comparison))
  const [bottom, top] = [yTicks[0] ?? -1, yTicks.at(-1) ?? 1]
  const clip = (value: number | null | undefined) =>
    value === null || value === undefined ? null : Math.min(top, Math.max(bottom, value))
  const last = differences.findLast((difference) => difference !== null) ?? null
  const { writeDifference } = MEASURES[measure]
  const decimals = tickDecimals(yTicks, scale)
  return (
    <LineChart
      label={`${pair[0].name} minus ${pair[1].name}, ${MEASURES[measure].name.toLowerCase()}: ${writeDifference(last?.value ?? null)}, ${intervalWords(last, scale)}`}
      rows={places}
      x={(place) => place.x}
      xDomain={domainOf(places)}
      xWord={AXIS_WORDS[axis]}
      xText={(tick) => placeFigure(axis, tick)}
      xTicks={ticksOf(axis, places)}
      height={HEIGHT}
      right={148}
      base={0}
      yTicks={yTicks}
      yText={(tick) => formatFixed(tick * scale, decimals)}
      band={{
        low: ({ at }) => clip(differences[at]?.low),
        high: ({ at }) => clip(differences[at]?.high),
      }}
      series={[
        ...pairs.map(({ key, value }) => ({ key, look: 'ours-seed' as const, value })),
        {
          key: 'difference',
          look: 'ours' as const,
          value: ({ at }: Place) => differences[at]?.value ?? null,
          end: { figure: writeDifference(last?.value ?? null), word: intervalWords(last, scale) },
        },
      ]}
      tip={({ x, at }) => (
        <TipList
          title={placeWords(axis, x)}
          rows={[
            ['difference', writeDifference(differences[at]?.value ?? null)],
            ['95 % interval', intervalWords(differences[at] ?? null, scale)],
          ]}
          computed={`${pair[0].name} minus ${pair[1].name}, the mean over seeds; t-interval.`}
        />
      )}
    />
  )
}
