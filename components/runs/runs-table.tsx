'use client'
/* Owns the table of runs, live first unless a head was pressed; selection for Compare; filters once the list is long. */
import { tabPath } from '@/components/shell/run-tabs'
import { useNow } from '@/components/shell/use-now'
import { useSortParam } from '@/components/shell/use-sort-param'
import { useViewParam } from '@/components/shell/use-view-param'
import { Button } from '@/components/ui/button'
import { DataTable } from '@/components/ui/data-table'
import { Panel } from '@/components/ui/panel'
import { NothingState } from '@/components/ui/panel-state'
import { RUN_STATUSES, type RunSummary } from '@/lib/contract/run'
import { filterRuns } from '@/lib/view/run-filter'
import { liveFirst } from '@/lib/view/run-order'
import { runsTwin } from '@/lib/view/runs-twin'
import { runsColumns } from './runs-columns'
import { RunsFilter } from './runs-filter'
import { SelectionBar } from './selection-bar'
import { useSelection } from './use-selection'

/** Fewer runs are seen at a glance. */
const FILTER_FROM = 16

export function RunsTable({ runs }: { runs: readonly RunSummary[] }) {
  const now = useNow()
  const [sort, setSort] = useSortParam()
  const [typed, setQuery] = useViewParam('q')
  const [named, setStatus] = useViewParam('status')
  const query = typed ?? ''
  const status = RUN_STATUSES.find((one) => one === named) ?? null
  const filtered = query !== '' || status !== null
  const shown = liveFirst(filterRuns(runs, query, status))
  const selection = useSelection(runs)
  const count = filtered ? `${shown.length} of ${runs.length}` : `${runs.length}`
  return (
    <Panel
      title="Runs"
      sub={`${count}, live first; shares over the last 10 batches`}
      twin={runsTwin(shown)}
      api="/runs?limit=1000"
      isTable
    >
      {(runs.length >= FILTER_FROM || filtered) && (
        <RunsFilter runs={runs} query={query} status={status} onQuery={setQuery} onStatus={setStatus} />
      )}
      {runs.length > 1 && <SelectionBar selection={selection} shown={shown} />}
      {shown.length === 0 ? (
        <NothingState
          title="No run matches"
          action={
            <Button
              size="small"
              onClick={() => {
                setQuery(null)
                setStatus(null)
              }}
            >
              Show all {runs.length} runs
            </Button>
          }
        >
          Looked for {query === '' ? 'any name' : `"${query}"`} with{' '}
          {status === null ? 'any status' : `status ${status}`}.
        </NothingState>
      ) : (
        <DataTable
          label="Runs"
          columns={runsColumns(runs, now, selection)}
          rows={shown}
          rowKey={(run) => run.id}
          rowHref={(run) => tabPath(run.id, 'overview')}
          selected={(run) => selection.has(run.id)}
          sort={sort}
          onSort={setSort}
          padded
          keys
        />
      )}
    </Panel>
  )
}
