'use client'
/* Owns the rows that were left out: by reason, the first line, what to do; the other lines on demand. */
import { useState } from 'react'
import { Panel } from '@/components/ui/panel'
import { NothingState } from '@/components/ui/panel-state'
import type { ImportJob } from '@/lib/contract/import-job'
import { formatCount, formatFixed, formatNumber } from '@/lib/view/format'
import { skipAdvice, skippedRows, skippedTwin } from '@/lib/view/import-skips'
import { isOver } from '@/lib/view/import-verdict'
import { SkippedLines } from './skipped-lines'

const HEIGHT = 120

function Reason({ job, skip, several }: { job: ImportJob; skip: ImportJob['skipped'][number]; several: boolean }) {
  const [open, setOpen] = useState<boolean>(false)
  const advice = skip.needless === true ? 'nothing is lost: what it sums up came in by itself' : skipAdvice(skip.reason)
  const first = skip.lines[0]
  return (
    <tr>
      <td className="align-top! break-words">
        {skip.reason}
        {advice !== null && <span className="why">{advice}</span>}
        {several && skip.file !== '' && (
          <span className="why">
            {skip.file}
            {skip.files > 1 && ` and ${formatCount(skip.files - 1, 'more file')}`}
          </span>
        )}
        {first !== undefined && job.skippedKept > 0 && (
          <span className="why">
            <button
              type="button"
              className="min-h-6 underline decoration-line-control underline-offset-[3px]"
              aria-haspopup="dialog"
              onClick={() => setOpen(true)}
            >
              {skip.count === 1 ? 'The line' : 'Each line'}
            </button>
            <SkippedLines job={job} skip={skip} open={open} onClose={() => setOpen(false)} />
          </span>
        )}
      </td>
      <td className="num align-top!">{formatFixed(skip.count, 0)}</td>
      <td className="num align-top! text-ink-2">
        {first === undefined ? (
          <span className="unit">{skip.needless === true ? 'not needed' : 'whole file'}</span>
        ) : (
          formatFixed(first, 0)
        )}
      </td>
    </tr>
  )
}

export function SkippedPanel({ job }: { job: ImportJob }) {
  const rows = job.source?.rows ?? null
  const skipped = skippedRows(job)
  const several = (job.source?.files.length ?? 0) > 1 || job.skipped.some(({ lines }) => lines.length === 0)
  const of =
    rows === null || rows === 0
      ? ''
      : `${formatFixed(skipped, 0)} of ${formatFixed(rows, 0)}, ${formatNumber('share', skipped / rows, '', { decimals: 2 })}`
  return (
    <Panel
      title={isOver(job) ? 'Skipped rows' : 'Skipped so far'}
      sub={of}
      twin={skippedTwin(job)}
      api={`/imports/${job.id}`}
      isTable
    >
      {job.skipped.length === 0 ? (
        <NothingState height={HEIGHT} title={rows === null && !isOver(job) ? 'Not read yet' : 'None was skipped'}>
          One bad row never loses the others.
        </NothingState>
      ) : (
        <section
          className="relative max-h-[320px] overflow-auto"
          style={{ minHeight: HEIGHT }}
          aria-label="Reasons and lines"
        >
          <table className="tbl" data-rows="small" aria-label="Skipped rows by reason">
            <thead>
              <tr>
                <th scope="col">reason, and what to do</th>
                <th scope="col" className="num">
                  rows
                </th>
                <th scope="col" className="num">
                  first line
                </th>
              </tr>
            </thead>
            <tbody>
              {job.skipped.map((skip) => (
                <Reason key={skip.reason} job={job} skip={skip} several={several} />
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Panel>
  )
}
