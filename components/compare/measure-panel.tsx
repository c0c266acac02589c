'use client'
/* Owns one measure of all compared runs on one axis: seeds thin, their mean thick as far as all of them reach. */
import { LineChart } from '@/components/charts/line-chart'
import { Panel } from '@/components/ui/panel'
import { NothingState } from '@/components/ui/panel-state'
import { TipList } from '@/components/ui/tip-list'
import type { CompareAxis, Comparison } from '@/lib/contract/comparison'
import { roundTicks, stepTicks, tickDecimals } from '@/lib/view/axis'
import type { Configuration } from '@/lib/view/compare-configurations'
import { measureLines, measureTicks, measureTwin, type Place } from '@/lib/view/compare-lines'
import { MEASURES, type MeasureKey, valueAt } from '@/lib/view/compare-measures'
import { AXIS_WORDS, placeFigure, placeWords } from '@/lib/view/compare-words'
import { formatFixed } from '@/lib/view/format'
import { lookOf } from './stroke-sample'
import type { ComparePart } from './use-compare-address'

const HEIGHT = 196

export function MeasurePanel({
  comparison,
  ordered,
  measure,
  sub,
  part,
  places,
  api,
}: {
  comparison: Comparison
  ordered: readonly Configuration[]
  measure: 'informativeShare' | 'reward'
  sub: string
  part: ComparePart
  places: readonly Place[]
  api: string
}) {
  const { name, unit, explain } = MEASURES[measure]
  const { axis, common } = comparison
  const lines = measureLines(comparison, ordered, measure, part)
  const yTicks = measureTicks(lines, places, measure)
  const scale = measure === 'informativeShare' ? 100 : 1
  const decimals = tickDecimals(yTicks, scale)
  return (
    <Panel
      span={6}
      className="border-t-0!"
      title={name}
      sub={sub}
      twin={measureTwin(comparison, measure, places)}
      twinHeight={HEIGHT}
      api={api}
    >
      {lines.length === 0 ? (
        <NothingState title="Not measured here" height={HEIGHT}>
          {measure === 'reward'
            ? 'None of these runs has uniform slots, and the reward of chosen tasks says nothing about the whole set.'
            : 'No trusted group is back.'}
        </NothingState>
      ) : (
        <LineChart
          label={`${name} by ${AXIS_WORDS[axis]}: ${lines
            .flatMap(({ end }) => (end === undefined ? [] : `${end.word} ${end.figure}`))
            .join(', ')}`}
          rows={places}
          x={(place) => place.x}
          xDomain={domainOf(places)}
          xWord={AXIS_WORDS[axis]}
          xText={(tick) => placeFigure(axis, tick)}
          xTicks={ticksOf(axis, places)}
          rule={common === null ? null : { x: common, figure: placeFigure(axis, common) }}
          height={HEIGHT}
          right={148}
          yTicks={yTicks}
          yText={(tick) => formatFixed(tick * scale, decimals)}
          unit={unit ?? undefined}
          series={lines.map(({ key, rank, seed, value, end }) => ({ key, look: lookOf(rank, seed), value, end }))}
          tip={({ x, at }) => (
            <TipList
              title={placeWords(axis, x)}
              rows={comparison.runs.map((run) => [run.name, withInterval(comparison, measure, run.id, at)])}
              computed={explain}
            />
          )}
        />
      )}
    </Panel>
  )
}

export function domainOf(places: readonly Place[]): [number, number] {
  const [first, last] = [places[0]?.x ?? 0, places.at(-1)?.x ?? 1]
  return last > first ? [first, last] : [first, first + 1]
}

/** Steps from end to end; rollouts and tokens at round figures. */
export function ticksOf(axis: CompareAxis, places: readonly Place[]): number[] {
  const [first, last] = domainOf(places)
  return axis === 'steps' ? stepTicks(first, last, 5) : roundTicks(first, last, 4)
}

/* The run's own uncertainty over its groups, which is not the one over seeds. */
function withInterval({ runs }: Comparison, measure: MeasureKey, id: string, at: number): string {
  const run = runs.find((one) => one.id === id)
  if (run === undefined) return 'n/a'
  const { write, unit } = MEASURES[measure]
  const value = valueAt(run, measure, at)
  if (value === null) return run.last === null ? 'no step yet' : 'n/a'
  const [low, high] = [run.series.rewardLow[at] ?? null, run.series.rewardHigh[at] ?? null]
  if (measure !== 'reward' || low === null || high === null)
    return unit === null ? write(value) : `${write(value)}\u00a0${unit}`
  return `${write(value)} ± ${formatFixed((high - low) / 2, 3)}`
}
