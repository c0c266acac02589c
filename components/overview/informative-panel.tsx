'use client'
/* Owns the page's large chart: chosen against the uniform slots. The tint between them is what the scheduler earns; none where it is behind. */
import Link from 'next/link'
import { LineChart } from '@/components/charts/line-chart'
import { OverrideLegend, overrideMarkers } from '@/components/charts/override-markers'
import { tabPath } from '@/components/shell/run-tabs'
import { Panel } from '@/components/ui/panel'
import { NotYetState } from '@/components/ui/panel-state'
import { TipList } from '@/components/ui/tip-list'
import type { Overview } from '@/lib/contract/overview'
import { niceTicks } from '@/lib/view/axis'
import { formatFixed, formatNumber, formatPoints } from '@/lib/view/format'
import { informativeTwin } from '@/lib/view/overview-twins'
import { brokenAt } from '@/lib/view/restore-words'
import { lastKnown } from '@/lib/view/series'

type Point = Overview['series'][number]

const HEIGHT = 226

function PointTip({ point }: { point: Point }) {
  const interval =
    point.uniformLow === null || point.uniformHigh === null
      ? 'n/a'
      : `${formatFixed(point.uniformLow * 100, 1)} to ${formatNumber('share', point.uniformHigh, 'n/a')}`
  return (
    <TipList
      title={`Batch ${point.batch}, policy ${point.policyVersion}`}
      rows={[
        ['this batch', formatNumber('share', point.informativeShare, 'n/a')],
        ['chosen, mean of 10', formatNumber('share', point.informativeMean, 'no group')],
        ['uniform slots, mean of 10', formatNumber('share', point.uniformMean, 'no group')],
        ['95 % interval', interval],
      ]}
      computed="Trusted groups whose rewards are not all equal, over trusted groups; of one batch once all of its groups are back. The uniform slots are drawn from the whole task set."
    />
  )
}

function ends(overview: Overview) {
  const last = lastKnown(overview.series, (point) => point.uniformMean)
  const chosen = lastKnown(overview.series, (point) => point.informativeMean)?.informativeMean ?? null
  const uniform = last?.uniformMean ?? null
  const interval =
    last === null || last.uniformLow === null || last.uniformHigh === null
      ? null
      : { low: last.uniformLow, high: last.uniformHigh }
  return { chosen, uniform, interval }
}

export function InformativePanel({
  run,
  overview,
  mark,
  xDomain,
}: {
  run: string
  overview: Overview
  /** where the run went on after a restore */
  mark: { x: number; figure: string } | null
  xDomain: readonly [number, number]
}) {
  const { series, target } = overview
  const { chosen, uniform, interval } = ends(overview)
  const top = Math.max(target, ...series.map((point) => Math.max(point.informativeShare ?? 0, point.uniformMean ?? 0)))
  const yTicks = niceTicks(0, top, 5)
  const note = gainNote(overview, chosen, uniform)
  return (
    <Panel
      span={8}
      title="Informative share"
      sub="of trusted groups: chosen slots and uniform slots, each a mean of 10 batches"
      twin={informativeTwin(overview)}
      api={`/runs/${run}/overview`}
      twinHeight={HEIGHT + 24}
    >
      {chosen === null && uniform === null ? (
        <NotYetState height={HEIGHT}>
          The first trusted group is still out. The line starts with the first batch.
        </NotYetState>
      ) : (
        <LineChart
          label={`Informative share by batch: chosen ${formatNumber('share', chosen, 'not yet')}, uniform slots ${formatNumber('share', uniform, 'not yet')}, target ${formatNumber('share', target, '')}`}
          rows={brokenAt(series, mark)}
          x={(point) => point.batch}
          xDomain={xDomain}
          xWord="batch"
          height={HEIGHT}
          right={126}
          yTicks={yTicks}
          yText={(tick) => formatFixed(tick * 100, 0)}
          unit="%"
          level={{ value: target, figure: formatNumber('share', target, '', { decimals: 0 }), word: 'target' }}
          band={{
            low: (point) => earned(point)?.[0] ?? null,
            high: (point) => earned(point)?.[1] ?? null,
          }}
          series={[
            { key: 'raw', look: 'raw', value: (point) => point.informativeShare },
            {
              key: 'uniform',
              look: 'reference-dash',
              value: (point) => point.uniformMean,
              end: { figure: formatNumber('share', uniform, ''), word: 'uniform slots' },
              interval,
            },
            {
              key: 'chosen',
              look: 'ours',
              value: (point) => point.informativeMean,
              end: { figure: formatNumber('share', chosen, ''), word: 'chosen' },
            },
          ]}
          markers={overrideMarkers(overview.overrides)}
          rule={mark}
          tip={(point) => <PointTip point={point} />}
          note={note}
        />
      )}
      <p className="mt-2 flex flex-wrap gap-x-3 text-12 text-ink-2">
        <span className="text-ink-3">Thin line: chosen slots of one batch, once it is all back.</span>
        {overview.overrides.length === 0 ? (
          <span className="text-ink-3">No override so far.</span>
        ) : (
          <OverrideLegend overrides={overview.overrides} />
        )}
        <Link href={tabPath(run, 'steering')}>{overview.overrides.length === 0 ? 'Steer' : 'History'}</Link>
      </p>
    </Panel>
  )
}

/* "+28.7 points" in the middle of the tint, off the line of the target. */
function gainNote({ series, target }: Overview, chosen: number | null, uniform: number | null) {
  const middle = series[Math.floor(series.length * 0.52)]
  const ahead = chosen === null || uniform === null ? null : chosen - uniform
  if (middle === undefined || ahead === null || ahead < 0.08 || series.length < 8) return null
  const between = ((middle.informativeMean ?? chosen ?? 0) + (middle.uniformMean ?? uniform ?? 0)) / 2
  const y = Math.abs(between - target) < 0.08 ? target + 0.09 : between
  return { x: middle.batch, y, text: `${formatPoints(ahead, '')} points` }
}

function earned(point: Point): [number, number] | null {
  const { informativeMean, uniformMean } = point
  if (informativeMean === null || uniformMean === null || informativeMean < uniformMean) return null
  return [uniformMean, informativeMean]
}
