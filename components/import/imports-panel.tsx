'use client'
/* Owns the list of recent imports; a press shows one again. Nothing while there is none. */
import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { tabPath } from '@/components/shell/run-tabs'
import { Panel } from '@/components/ui/panel'
import { ErrorState } from '@/components/ui/panel-state'
import { importsQuery } from '@/lib/client/import-job'
import type { ImportJob } from '@/lib/contract/import-job'
import { formatFixed, formatTime } from '@/lib/view/format'
import { skippedRows } from '@/lib/view/import-skips'

const STATES: Record<ImportJob['state'], { word: string; className: string }> = {
  reading: { word: 'reading', className: 'text-accent-text' },
  mapping: { word: 'waits for columns', className: 'text-accent-text' },
  replaying: { word: 'predicting', className: 'text-accent-text' },
  done: { word: 'done', className: '' },
  failed: { word: 'failed', className: 'text-bad' },
  cancelled: { word: 'cancelled', className: 'text-ink-2' },
}

function Row({ job, current, onOpen }: { job: ImportJob; current: boolean; onOpen: (id: string) => void }) {
  const state = STATES[job.state]
  return (
    <tr aria-current={current ? 'true' : undefined} data-current={current ? '' : undefined}>
      <td className="wrap-anywhere">
        <button
          type="button"
          className="min-h-6 text-left underline decoration-line-control underline-offset-[3px]"
          onClick={() => onOpen(job.id)}
        >
          {job.name}
        </button>
      </td>
      <td className="text-ink-2">{job.format ?? <span className="unit">not recognised</span>}</td>
      <td className={state.className}>{state.word}</td>
      <td className="num">{formatFixed(job.accepted, 0)}</td>
      <td className="num">{formatFixed(skippedRows(job), 0)}</td>
      <td className="num text-ink-2">{formatTime(job.startedAt, 'n/a')}</td>
      <td className="num">
        {job.run === null ? (
          <span className="unit">{job.taskSet === null ? 'none' : 'task set'}</span>
        ) : (
          <Link href={tabPath(job.run, 'overview')}>run</Link>
        )}
      </td>
    </tr>
  )
}

export function ImportsPanel({ open, onOpen }: { open: string | null; onOpen: (id: string) => void }) {
  const { data, error, refetch } = useQuery(importsQuery())
  if (data === undefined && error !== null)
    return (
      <Panel title="Imports so far">
        <ErrorState onRetry={() => void refetch()}>{error.message}</ErrorState>
      </Panel>
    )
  if (data === undefined || data.items.length === 0) return null
  const twin = {
    name: 'imports',
    columns: ['files', 'form', 'state', 'rollouts', 'skipped rows', 'started', 'run', 'error'],
    rows: data.items.map((job) => [
      job.name,
      job.format,
      job.state,
      job.accepted,
      skippedRows(job),
      job.startedAt,
      job.run,
      job.error,
    ]),
  }
  return (
    <Panel title="Imports so far" sub={formatFixed(data.total, 0)} twin={twin} api="/imports" isTable>
      <div className="tbl-scroll">
        <table className="tbl" data-rows="small" data-pad="" aria-label="Imports so far">
          <thead>
            <tr>
              <th scope="col">files</th>
              <th scope="col">form</th>
              <th scope="col">state</th>
              <th scope="col" className="num">
                rollouts
              </th>
              <th scope="col" className="num">
                skipped rows
              </th>
              <th scope="col" className="num" title="Time in UTC">
                started
              </th>
              <th scope="col" className="num">
                gave
              </th>
            </tr>
          </thead>
          <tbody>
            {data.items.map((job) => (
              <Row key={job.id} job={job} current={job.id === open} onOpen={onOpen} />
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}
