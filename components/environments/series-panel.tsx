'use client'
/* Owns the row of small charts, one an environment, all on one scale, with its overrides as markers. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { touches, useOverrideMarkers } from '@/components/charts/override-markers'
import { SmallMultiple } from '@/components/charts/small-multiple'
import { EnvTag } from '@/components/ui/env-tag'
import { Panel } from '@/components/ui/panel'
import { ErrorState, LoadingState, NotYetState } from '@/components/ui/panel-state'
import { TipList } from '@/components/ui/tip-list'
import { seriesQuery } from '@/lib/client/environment'
import type { EnvironmentSeries } from '@/lib/contract/environment'
import { runningMean, seriesTwin } from '@/lib/view/environment-twins'
import { formatFixed, formatNumber } from '@/lib/view/format'

const FIRST = 15
const WINDOW = 5
const TICKS = [0, 0.5, 1]

type One = EnvironmentSeries['environments'][number]

function Multiple({
  run,
  one,
  batches,
  uniform,
}: {
  run: string
  one: One
  batches: readonly number[]
  uniform: number | null
}) {
  const { markers } = useOverrideMarkers(run, touches(one.environment.id))
  const means = runningMean(one.informativeShare, WINDOW)
  const rows = batches.map((batch, i) => ({
    batch,
    mean: means[i] ?? null,
    share: one.informativeShare[i] ?? null,
    picks: one.picks[i] ?? 0,
  }))
  const newest = means.at(-1) ?? null
  const words = newest === null ? 'no report' : formatNumber('share', newest, '', { decimals: 0 })
  return (
    <SmallMultiple
      name={<EnvTag environment={one.environment} />}
      newest={<span className={newest === null ? 'font-normal text-ink-3' : ''}>{words}</span>}
      label={`${one.environment.name}: informative share ${words}`}
      rows={rows}
      x={(row) => row.batch}
      xDomain={[batches[0] ?? 1, batches.at(-1) ?? 2]}
      xWord="batch"
      yTicks={TICKS}
      yText={(tick) => formatFixed(tick * 100, 0)}
      series={[
        { key: 'uniform', look: 'reference-dash', value: () => uniform },
        { key: 'mean', look: 'ours-fine', value: (row) => row.mean },
      ]}
      markers={markers}
      tip={(row) => (
        <TipList
          title={`${one.environment.name}, batch ${row.batch}`}
          rows={[
            ['mean of 5 batches', formatNumber('share', row.mean, 'no group')],
            ['this batch', formatNumber('share', row.share, 'no group')],
            ['picks', formatFixed(row.picks, 0)],
          ]}
          computed="Trusted groups whose rewards are not all equal, over trusted groups."
        />
      )}
    />
  )
}

export function SeriesPanel({ run, uniform }: { run: string; uniform: number | null }) {
  const { data, error, refetch } = useQuery(seriesQuery(run))
  const [all, setAll] = useState(false)
  const sub = `mean of 5 batches, same scale${uniform === null ? '' : `; dashed: uniform slots, ${formatNumber('share', uniform, '', { decimals: 0 })}`}`
  const shown = all === true ? (data?.environments ?? []) : (data?.environments.slice(0, FIRST) ?? [])
  const more = (data?.environments.length ?? 0) - FIRST
  return (
    <Panel
      title={`Informative share over the last ${data === undefined || data.batches.length === 0 ? 32 : data.batches.length} batches`}
      sub={sub}
      twin={data === undefined ? undefined : seriesTwin(data)}
      api={`/runs/${run}/series`}
      acts={
        more > 0 && (
          <button type="button" className="panel-act px-2" onClick={() => setAll((shownAll) => shownAll !== true)}>
            {all === true ? `Show ${FIRST}` : `Show all ${more + FIRST}`}
          </button>
        )
      }
    >
      {data === undefined && error === null && <LoadingState height={210} />}
      {data === undefined && error !== null && (
        <ErrorState height={210} onRetry={() => void refetch()}>
          {error.message}
        </ErrorState>
      )}
      {data?.batches.length === 0 && (
        <NotYetState height={210} title="No batch">
          Lines start with the first batch that the trainer asks for.
        </NotYetState>
      )}
      {data !== undefined && data.batches.length > 0 && (
        <div className="grid grid-cols-5 gap-x-6 gap-y-[10px] max-sm:grid-cols-2">
          {shown.map((one) => (
            <Multiple key={one.environment.id} one={one} batches={data.batches} uniform={uniform} run={run} />
          ))}
        </div>
      )}
    </Panel>
  )
}
