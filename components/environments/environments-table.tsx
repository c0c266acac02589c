'use client'
/* Owns the table of environments: troubled first, the worst one open. Which row is open is in the address.
   Invariant: a refresh moves no row; the order is taken again only when a person asks. */
import { useState } from 'react'
import { useSortParam } from '@/components/shell/use-sort-param'
import { useViewParam } from '@/components/shell/use-view-param'
import { DataTable } from '@/components/ui/data-table'
import { Panel } from '@/components/ui/panel'
import { useKeys } from '@/components/ui/use-keys'
import type { EnvironmentRow } from '@/lib/contract/environment'
import type { RunSummary } from '@/lib/contract/run'
import { environmentTotals } from '@/lib/view/environment-totals'
import { environmentsTwin } from '@/lib/view/environment-twins'
import { inOrder, STATE_TONE, stateOf, troubledFirst } from '@/lib/view/environment-words'
import { formatCount, formatFixed } from '@/lib/view/format'
import { environmentColumns } from './environment-columns'
import { EnvironmentControls } from './environment-controls'
import type { SteerActions } from './use-steer'

const NONE = 'none'

function windowWords(rows: readonly EnvironmentRow[], batchSize: number | null): string {
  const picks = Math.max(0, ...rows.map((row) => row.quota.window))
  if (picks === 0) return 'no pick yet'
  const batches = batchSize === null || batchSize === 0 ? null : picks / batchSize
  return batches === null
    ? `window of ${formatCount(picks, 'pick')}`
    : `window of ${formatFixed(batches, Number.isInteger(batches) ? 0 : 1)} batches, ${formatCount(picks, 'pick')}`
}

export function EnvironmentsTable({
  run,
  summary,
  rows,
  actions,
}: {
  run: string
  summary: RunSummary
  rows: readonly EnvironmentRow[]
  actions: SteerActions
}) {
  const troubled = troubledFirst(rows)
  const [order, setOrder] = useState(() => troubled.map((row) => row.id))
  const [worst] = useState(() => troubled.find((row) => STATE_TONE[stateOf(row)] === 'bad')?.id ?? null)
  const [opened, setOpened] = useViewParam('open', true)
  const [sort, setSort] = useSortParam()
  const open = opened === NONE ? null : (opened ?? worst)
  const shown = inOrder(rows, order)
  const stale = sort === null && shown.some((row, i) => row.id !== troubled[i]?.id)
  const close = () => setOpened(NONE)
  useKeys({ Escape: close })
  const toggle = (id: string) => setOpened(open === id ? NONE : id)
  return (
    <Panel
      title="Environments"
      sub={`${rows.length}, troubled first; ${windowWords(rows, summary.batchSize)}`}
      twin={environmentsTwin(shown)}
      api={`/runs/${run}/environments`}
      isTable
      acts={
        stale && (
          <button type="button" className="panel-act px-2" onClick={() => setOrder(troubled.map((row) => row.id))}>
            Sort again, states have changed
          </button>
        )
      }
    >
      <DataTable
        label="Environments"
        columns={environmentColumns(rows, environmentTotals(rows, summary.informativeShare), open, toggle)}
        rows={shown}
        rowKey={(row) => row.id}
        onRow={(row) => toggle(row.id)}
        opened={(row) =>
          row.id === open ? (
            <EnvironmentControls
              run={run}
              cursor={summary.cursor}
              nextBatch={summary.batch + 1}
              over={summary.status === 'finished' || summary.status === 'failed'}
              row={row}
              actions={actions}
            />
          ) : null
        }
        sort={sort}
        onSort={setSort}
        size="tight"
        padded
        withFoot
        keys
      />
    </Panel>
  )
}
