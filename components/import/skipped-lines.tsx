'use client'
/* Owns the lines that were left out for one reason: file, line and how the row begins, a page at a time. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { ErrorState, LoadingState, NothingState } from '@/components/ui/panel-state'
import { skippedPath, skippedQuery } from '@/lib/client/import-job'
import type { ImportJob } from '@/lib/contract/import-job'
import { formatCount, formatFixed } from '@/lib/view/format'

const HEIGHT = 300

function Lines({ job, skip }: { job: ImportJob; skip: ImportJob['skipped'][number] }) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    skippedQuery(job.id, skip.reason),
  )
  if (data === undefined)
    return error === null ? (
      <LoadingState height={HEIGHT} />
    ) : (
      <ErrorState height={HEIGHT} onRetry={() => void refetch()}>
        {error.message}
      </ErrorState>
    )
  const lines = data.pages.flatMap(({ items }) => items)
  if (lines.length === 0)
    return (
      <NothingState height={HEIGHT} title="Its lines are not kept">
        They were discarded, or came after the first {formatFixed(job.skippedKept, 0)} lines.
      </NothingState>
    )
  return (
    <>
      <section className="relative mt-2 overflow-auto" style={{ height: HEIGHT }} aria-label="Lines left out">
        <table className="tbl" data-rows="small" aria-label="Lines left out">
          <thead>
            <tr>
              <th scope="col">file</th>
              <th scope="col" className="num">
                line
              </th>
              <th scope="col">the row begins</th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ file, line, text }, place) => (
              <tr key={`${file} ${String(line)} ${String(place)}`}>
                <td className="align-top! wrap-anywhere">{file}</td>
                <td className="num align-top!">{line === null ? 'n/a' : formatFixed(line, 0)}</td>
                <td className="max-w-0 w-3/5">
                  <code className="block truncate text-12" title={text}>
                    {text === '' ? <span className="unit">not kept</span> : text}
                  </code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p className="mt-3 flex flex-wrap items-center gap-2">
        {hasNextPage && (
          <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            More lines
          </Button>
        )}
        <a className="btn" href={skippedPath(job.id, skip.reason, { format: 'csv' })} download>
          CSV
        </a>
        <span className="text-12 text-ink-2">
          {formatFixed(lines.length, 0)} of {formatCount(skip.count, 'line')} shown
          {job.skipped.reduce((sum, { count }) => sum + count, 0) > job.skippedKept &&
            `; the first ${formatFixed(job.skippedKept, 0)} of all are kept`}
        </span>
      </p>
    </>
  )
}

export function SkippedLines({
  job,
  skip,
  open,
  onClose,
}: {
  job: ImportJob
  skip: ImportJob['skipped'][number]
  open: boolean
  onClose: () => void
}) {
  return (
    <Dialog open={open} onClose={onClose} title={`Left out: ${skip.reason}`} wide>
      <Lines job={job} skip={skip} />
      <p className="mt-3 flex justify-end">
        <Button onClick={onClose}>Close</Button>
      </p>
    </Dialog>
  )
}
