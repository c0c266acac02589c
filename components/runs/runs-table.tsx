'use client'
import { tabPath } from '@/components/shell/run-tabs'
/* Owns the table of runs, live first unless a head was pressed. */
import { useNow } from '@/components/shell/use-now'
import { useSortParam } from '@/components/shell/use-sort-param'
import { DataTable } from '@/components/ui/data-table'
import { Panel } from '@/components/ui/panel'
import type { RunSummary } from '@/lib/contract/run'
import { liveFirst } from '@/lib/view/run-order'
import { runsTwin } from '@/lib/view/runs-twin'
import { runsColumns } from './runs-columns'

export function RunsTable({ runs }: { runs: readonly RunSummary[] }) {
  const now = useNow()
  const [sort, setSort] = useSortParam()
  return (
    <Panel title="Runs" sub={`${runs.length}, live first`} twin={runsTwin(runs)} isTable>
      <DataTable
        label="Runs"
        columns={runsColumns(runs, now)}
        rows={liveFirst(runs)}
        rowKey={(run) => run.id}
        rowHref={(run) => tabPath(run.id, 'overview')}
        sort={sort}
        onSort={setSort}
        padded
        keys
      />
    </Panel>
  )
}
