'use client'
/* Owns the trainer's own evaluations that several runs report, one chart each: they are the trainer's word, not the scheduler's. */
import { LineChart } from '@/components/charts/line-chart'
import { Panel } from '@/components/ui/panel'
import type { Comparison } from '@/lib/contract/comparison'
import { roundTicks, tickDecimals } from '@/lib/view/axis'
import type { Configuration } from '@/lib/view/compare-configurations'
import { MOST_DRAWN, runHeads } from '@/lib/view/compare-lines'
import { sharedScores } from '@/lib/view/compare-measures'
import { scorePlaces, scoreTicks } from '@/lib/view/compare-scores'
import { AXIS_WORDS, placeFigure } from '@/lib/view/compare-words'
import { formatFixed } from '@/lib/view/format'
import { lookOf } from './stroke-sample'

export function ScoresPanel({
  comparison,
  ordered,
  xDomain,
  api,
}: {
  comparison: Comparison
  ordered: readonly Configuration[]
  xDomain: readonly [number, number]
  api: string
}) {
  const names = sharedScores(comparison.runs)
  if (names.length === 0) return null
  const { axis, runs } = comparison
  const heads = runHeads(runs)
  const twin = {
    name: 'compare evaluations',
    columns: ['evaluation', 'run', axis === 'steps' ? 'step' : axis, 'value'],
    rows: names.flatMap((name) =>
      runs.flatMap((run, i) =>
        (run.scores.find((score) => score.name === name)?.points ?? []).map((point) => [
          name,
          heads[i] ?? run.name,
          point.x,
          point.value,
        ]),
      ),
    ),
  }
  return (
    <Panel
      title="The trainer's own evaluations"
      sub="reported by the trainers; those that several runs report"
      twin={twin}
      api={api}
    >
      <div className="grid grid-cols-3 gap-x-6 gap-y-[10px] max-sm:grid-cols-1">
        {names.map((name) => {
          const places = scorePlaces(runs, name)
          const yTicks = scoreTicks(runs, name)
          return (
            <div key={name} className="min-w-0">
              <div className="truncate text-12 font-medium">{name}</div>
              <LineChart
                height={126}
                xTicks={axis === 'steps' ? undefined : roundTicks(xDomain[0], xDomain[1], 3)}
                xTickCount={3}
                label={`${name} of ${runs.map((run) => run.name).join(', ')}`}
                rows={places}
                x={(place) => place.x}
                xDomain={xDomain}
                xWord={AXIS_WORDS[axis]}
                xText={(tick) => placeFigure(axis, tick)}
                yTicks={yTicks}
                yText={(tick) => formatFixed(tick, tickDecimals(yTicks))}
                series={ordered.slice(0, MOST_DRAWN).flatMap((one, rank) =>
                  one.runs.map((run) => ({
                    key: run.id,
                    look: lookOf(rank, one.runs.length > 1),
                    value: (place: (typeof places)[number]) => place.values[run.id] ?? null,
                  })),
                )}
              />
            </div>
          )
        })}
      </div>
    </Panel>
  )
}
