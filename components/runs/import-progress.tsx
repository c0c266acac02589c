'use client'
/* Owns the progress of one import and what came of it. Its id is in the address, so it survives a reload. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { tabPath } from '@/components/shell/run-tabs'
import { Button, ButtonLink } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { ErrorState, LoadingState } from '@/components/ui/panel-state'
import { Progress } from '@/components/ui/progress'
import { cancelImport, importQuery } from '@/lib/client/import-job'
import { taskSetQuery } from '@/lib/client/task-set'
import type { StartRun as StartRunAction } from '@/lib/contract/action'
import type { ImportJob } from '@/lib/contract/import-job'
import { importLine, importOutcome, importTitle } from '@/lib/view/import-words'
import { StartRun } from './start-run'

function Skipped({ job }: { job: ImportJob }) {
  if (job.skipped.length === 0) return null
  return (
    <details className="mt-1 text-12">
      <summary className="underline decoration-line-control underline-offset-[3px]">Which lines were left out</summary>
      <ul className="mt-1 grid gap-1 text-ink-2">
        {job.skipped.map((part) => (
          <li key={part.reason}>
            {part.reason}
            {part.lines.length > 0 && `: line ${part.lines.join(', ')}`}
            {part.lines.length > 0 && part.lines.length < part.count && ` and ${part.count - part.lines.length} more`}
          </li>
        ))}
      </ul>
    </details>
  )
}

function Outcome({ job, startRun, onClose }: { job: ImportJob; startRun: StartRunAction; onClose: () => void }) {
  const set = useQuery({ ...taskSetQuery(job.taskSet ?? ''), enabled: job.taskSet !== null }).data ?? null
  const clean = job.state === 'done' && job.skipped.length === 0
  return (
    <div>
      <div className="flex items-start gap-2">
        <Icon name={clean ? 'check' : 'warn'} className={clean ? 'mt-[3px] text-ok' : 'mt-[3px] text-warn'} />
        <div className="min-w-0 flex-1">
          <p className="font-medium break-words">{importTitle(job)}</p>
          <p className="text-12 text-ink-2">{job.state === 'failed' ? job.error : importOutcome(job, set)}</p>
          <Skipped job={job} />
        </div>
      </div>
      <div className="mt-2 flex gap-2">
        {job.run !== null && (
          <ButtonLink size="small" href={tabPath(job.run, 'overview')}>
            Open the run
          </ButtonLink>
        )}
        <Button size="small" kind="quiet" onClick={onClose}>
          Import more files
        </Button>
      </div>
      {job.taskSet !== null && job.run === null && (
        <div className="mt-2">
          <StartRun taskSet={job.taskSet} startRun={startRun} />
        </div>
      )}
    </div>
  )
}

export function ImportProgress({
  id,
  startRun,
  onClose,
}: {
  id: string
  startRun: StartRunAction
  onClose: () => void
}) {
  const client = useQueryClient()
  const { data, error, refetch } = useQuery(importQuery(id))
  const state = data?.state
  useEffect(() => {
    if (state !== 'done') return
    void client.invalidateQueries({ queryKey: ['runs'] })
    void client.invalidateQueries({ queryKey: ['task-sets'] })
    void client.invalidateQueries({ queryKey: ['server'] })
  }, [client, state])
  if (error !== null) return <ErrorState onRetry={() => void refetch()}>{error.message}</ErrorState>
  if (data === undefined) return <LoadingState height={104} />
  if (data.state !== 'reading' && data.state !== 'replaying')
    return <Outcome job={data} startRun={startRun} onClose={onClose} />
  return (
    <Progress
      title={importTitle(data)}
      done={data.done}
      total={data.total}
      line={importLine(data)}
      action={
        <Button size="small" onClick={() => void cancelImport(id).finally(() => refetch())}>
          Cancel
        </Button>
      }
    />
  )
}
