'use client'
/* Owns the newest batches: how much is back, what it was worth. A row leads to its picks. */
import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { tabPath } from '@/components/shell/run-tabs'
import { type Column, DataTable } from '@/components/ui/data-table'
import { Num } from '@/components/ui/num'
import { Panel } from '@/components/ui/panel'
import { ErrorState, LoadingState, NotYetState } from '@/components/ui/panel-state'
import { batchesQuery } from '@/lib/client/batch'
import type { BatchSummary } from '@/lib/contract/batch'
import { batchesTwin } from '@/lib/view/overview-twins'

const SHOWN = 6

function columns(run: string): Column<BatchSummary>[] {
  return [
    {
      key: 'batch',
      head: 'batch',
      cell: (batch) => (
        <Link
          className={batch.superseded === true ? 'text-ink-3' : ''}
          href={`${tabPath(run, 'batch')}?batch=${batch.index}`}
        >
          {batch.index}
        </Link>
      ),
    },
    { key: 'policy', head: 'policy', align: 'right', cell: (batch) => batch.policyVersion },
    {
      key: 'back',
      head: 'back',
      align: 'right',
      explain: 'Picks whose groups are complete, of the picks of the batch or, under shares, of those shared out',
      cell: (batch) => (
        <Num kind="count" value={batch.back} of={batch.shares === null ? batch.picks : batch.size} absent="not yet" />
      ),
    },
    {
      key: 'informative',
      head: 'informative',
      align: 'right',
      explain: 'Trusted groups whose rewards are not all equal, over trusted groups',
      cell: (batch) =>
        batch.superseded ? (
          <span className="text-ink-3" title="A restore left it behind: it no longer counts">
            superseded
          </span>
        ) : (
          <Num kind="share" value={batch.informativeShare} absent="not yet" />
        ),
    },
  ]
}

export function BatchesPanel({ run }: { run: string }) {
  const { data, error, refetch } = useQuery(batchesQuery(run))
  const batches = data?.items ?? []
  return (
    <Panel
      span={3}
      title="Batches"
      sub="newest first"
      twin={data === undefined ? undefined : batchesTwin(batches)}
      api={`/runs/${run}/batches`}
      isTable
    >
      {data === undefined && error === null && <LoadingState height={180} />}
      {data === undefined && error !== null && (
        <ErrorState height={180} onRetry={() => void refetch()}>
          {error.message}
        </ErrorState>
      )}
      {data?.items.length === 0 && <NotYetState height={180}>The trainer has not asked for a batch.</NotYetState>}
      {batches.length > 0 && (
        <DataTable
          label="Newest batches"
          columns={columns(run)}
          rows={batches.slice(0, SHOWN)}
          rowKey={(batch) => batch.id}
          rowHref={(batch) => `${tabPath(run, 'batch')}?batch=${batch.index}`}
          size="small"
        />
      )}
    </Panel>
  )
}
