/* Owns the measures batch by batch on both sides of an override, its first batch marked. */
import type { ChartMarker } from '@/components/charts/chart-series'
import { SmallMultiple } from '@/components/charts/small-multiple'
import { TipList } from '@/components/ui/tip-list'
import type { OverrideEffect } from '@/lib/contract/override-effect'
import { niceTicks } from '@/lib/view/axis'
import { formatFixed, formatNumber } from '@/lib/view/format'
import { effectRows } from '@/lib/view/override-effect-words'
import { knownRange } from '@/lib/view/series'

export function EffectCharts({ effect }: { effect: OverrideEffect }) {
  const { series, override, overlapping } = effect
  const first = series[0]?.batch
  const last = series.at(-1)?.batch
  if (first === undefined || last === undefined || last === first) return null
  const markers: ChartMarker[] = [
    { x: override.from, letter: override.letter, tip: `${override.letter}: ${override.sentence}` },
    ...overlapping
      .filter(({ how }) => how === 'began')
      .map(({ batch, letter, sentence }) => ({ x: batch, letter, tip: `${letter}: ${sentence}` })),
  ]
  return (
    <div className="mt-3 grid grid-cols-4 gap-x-6 gap-y-[10px] max-md:grid-cols-2">
      {effectRows(effect)
        .filter(({ key }) => key !== 'uniformShare')
        .map((row) => {
          const range = knownRange(series, row.value)
          const scale = row.kind === 'share' ? 100 : 1
          const decimals = row.kind === 'share' ? 0 : 2
          const low = row.kind === 'reward' ? (range?.low ?? 0) : 0
          return (
            <SmallMultiple
              key={row.key}
              name={<span className="truncate text-12">{row.name}</span>}
              newest={range === null ? <span className="font-normal text-ink-3">no group</span> : ''}
              label={`${row.name} by batch, before and after ${override.letter}`}
              rows={series}
              x={(point) => point.batch}
              xDomain={[first, last]}
              xWord="batch"
              yTicks={niceTicks(low, range?.high ?? 1, 2)}
              yText={(tick) => formatFixed(tick * scale, decimals)}
              unit={row.kind === 'share' ? '%' : undefined}
              series={[{ key: 'value', look: 'ours-fine', value: row.value }]}
              markers={markers}
              tip={(point) => (
                <TipList
                  title={`Batch ${point.batch}, ${point.batch < override.from ? 'before' : 'after'}`}
                  rows={[[row.name, formatNumber(row.kind, row.value(point), 'no group')]]}
                  computed={row.computed}
                />
              )}
            />
          )
        })}
    </div>
  )
}
