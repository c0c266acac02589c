'use client'
/* Owns one import on the page: verdict, steps, what was skipped, kept and read, and its replay. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type ReplayActions, ReplayPanel } from '@/components/overview/replay-panel'
import { StartRun } from '@/components/runs/start-run'
import { tabPath } from '@/components/shell/run-tabs'
import { useMayOperate } from '@/components/shell/use-may-operate'
import { Button, ButtonLink } from '@/components/ui/button'
import { type Check, CheckList } from '@/components/ui/check-list'
import { Checkbox } from '@/components/ui/checkbox'
import { FieldError } from '@/components/ui/field-error'
import { Panel } from '@/components/ui/panel'
import { Guarded, Sheet } from '@/components/ui/sheet'
import { Verdict } from '@/components/ui/verdict'
import { cancelImport, discardImport, importQuery, resumeImport, setImportReplay } from '@/lib/client/import-job'
import { replayQuery } from '@/lib/client/replay'
import type { StartRun as StartRunAction } from '@/lib/contract/action'
import { ARCHIVE_FORMAT } from '@/lib/contract/archive'
import type { ImportJob } from '@/lib/contract/import-job'
import type { ReplayJob } from '@/lib/contract/replay'
import { formatNumber } from '@/lib/view/format'
import { importSteps } from '@/lib/view/import-steps'
import { importVerdict, isOver } from '@/lib/view/import-verdict'
import { ColumnForm } from './column-form'
import { EnvironmentsPanel } from './environments-panel'
import { KeptPanel } from './kept-panel'
import { MappingPanel } from './mapping-panel'
import { SkippedPanel } from './skipped-panel'

/** What an import makes is listed elsewhere: those lists are asked again when it is done. */
function useFresh(job: ImportJob): void {
  const client = useQueryClient()
  const over = isOver(job)
  useEffect(() => {
    if (over === false) return
    for (const key of ['runs', 'task-sets', 'server', 'imports']) void client.invalidateQueries({ queryKey: [key] })
    if (job.run !== null) void client.invalidateQueries({ queryKey: ['run', job.run] })
  }, [client, over, job.run])
}

/** Cancelling is heard between two reports: until then the button says that it was pressed. */
function Cancel({ job }: { job: ImportJob }) {
  const client = useQueryClient()
  const cancel = useMutation({
    mutationFn: () => cancelImport(job.id),
    onSettled: () => client.invalidateQueries({ queryKey: importQuery(job.id).queryKey }),
  })
  const pressed = cancel.isPending || cancel.isSuccess
  return (
    <>
      <FieldError>{cancel.error?.message}</FieldError>
      <Button disabled={pressed} onClick={() => cancel.mutate()}>
        {pressed ? 'Cancelling' : 'Cancel'}
      </Button>
    </>
  )
}

function Bar({ job, mayOperate }: { job: ImportJob; mayOperate: boolean }) {
  const part = job.total === null || job.total <= 0 ? null : Math.min(1, job.done / job.total)
  return (
    <div className="flex items-center gap-[14px]">
      <div
        className="progress flex-1"
        role="progressbar"
        aria-label={`${job.state === 'replaying' ? 'Predicting the groups of' : job.format === ARCHIVE_FORMAT ? 'Storing' : 'Reading'} ${job.name}`}
        aria-valuenow={part === null ? undefined : Math.round(part * 100)}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        {part !== null && <i style={{ width: `${part * 100}%` }} />}
      </div>
      <b className="font-medium">{formatNumber('share', part, 'under way')}</b>
      {mayOperate && <Cancel job={job} />}
    </div>
  )
}

/** A stopped import: go on, or drop its files. */
function Kept({ job }: { job: ImportJob }) {
  const client = useQueryClient()
  const act = useMutation({
    mutationFn: (what: 'resume' | 'discard') => (what === 'resume' ? resumeImport(job.id) : discardImport(job.id)),
    onSuccess: (next) => {
      client.setQueryData(importQuery(job.id).queryKey, next)
      void client.invalidateQueries({ queryKey: ['imports'] })
    },
  })
  return (
    <div className="mt-3">
      <p className="flex flex-wrap items-center gap-2">
        <Button kind="primary" disabled={act.isPending} onClick={() => act.mutate('resume')}>
          Resume
        </Button>
        <Button disabled={act.isPending} onClick={() => act.mutate('discard')}>
          Discard its files
        </Button>
        <span className="text-12 text-ink-2">
          {formatNumber('bytes', job.kept ?? 0, '')} are kept; what has come in stays either way.
        </span>
      </p>
      <FieldError>{act.error?.message}</FieldError>
    </div>
  )
}

function ReplayChoice({ job }: { job: ImportJob }) {
  const client = useQueryClient()
  return (
    <p className="mt-1 flex items-center gap-2 text-12">
      <Checkbox
        label="Replay after the import"
        checked={job.replay}
        onChange={(on) => {
          client.setQueryData(importQuery(job.id).queryKey, { ...job, replay: on })
          void setImportReplay(job.id, on).finally(() =>
            client.invalidateQueries({ queryKey: importQuery(job.id).queryKey }),
          )
        }}
      />
      replay after the import
    </p>
  )
}

function useSteps(job: ImportJob, mayOperate: boolean): Check[] {
  const replay = useQuery({ ...replayQuery(job.run ?? ''), enabled: job.run !== null && isOver(job) })
  const answer: ReplayJob | null = replay.data ?? null
  return importSteps(job, answer).map(({ name, ...step }) => ({
    key: name,
    ...step,
    more: name === 'replay' && isOver(job) === false && mayOperate ? <ReplayChoice job={job} /> : null,
  }))
}

export function ImportJobView({
  job,
  lost,
  startRun,
  replay,
  onClose,
}: {
  job: ImportJob
  /** why the newest look at it failed, or null */
  lost: string | null
  startRun: StartRunAction
  replay: ReplayActions
  onClose: () => void
}) {
  const mayOperate = useMayOperate() === true
  useFresh(job)
  const steps = useSteps(job, mayOperate)
  const said = importVerdict(job)
  const over = isOver(job)
  const size = job.bytes === null ? '' : `${formatNumber('bytes', job.bytes, '')}, `
  if (job.table !== null)
    return (
      <>
        <Verdict context={said.context}>{said.sentence}</Verdict>
        <ColumnForm job={job} table={job.table} mayOperate={mayOperate} onClose={onClose} />
      </>
    )
  return (
    <>
      <Verdict context={said.context}>{said.sentence}</Verdict>
      <Sheet>
        <Panel
          span={8}
          title={job.name}
          sub={`${size}${job.format === null ? 'form not known yet' : `recognised as ${job.format}`}`}
          acts={
            <Button size="small" kind="quiet" onClick={onClose}>
              Import more files
            </Button>
          }
        >
          {over === false && <Bar job={job} mayOperate={mayOperate} />}
          {over === false && (
            <p className="mt-1 text-12 text-ink-2">
              {lost ?? 'Cancel keeps what has come in, and the files: it can be resumed.'}
            </p>
          )}
          <CheckList label="Steps of the import" checks={steps} />
          {job.resumable && mayOperate && <Kept job={job} />}
          {job.run !== null && (
            <p className="mt-3 flex gap-2">
              <ButtonLink kind={over ? 'primary' : 'default'} href={tabPath(job.run, 'overview')}>
                Open the run
              </ButtonLink>
              {over && <ButtonLink href={tabPath(job.run, 'environments')}>Environments</ButtonLink>}
            </p>
          )}
          {job.taskSet !== null && job.run === null && over && (
            <div className="mt-3 max-w-[480px]">
              <StartRun taskSet={job.taskSet} startRun={startRun} />
            </div>
          )}
        </Panel>
        <div className="col-span-4 min-w-0 max-[1000px]:col-span-12">
          <Guarded>
            <SkippedPanel job={job} />
            {over && <KeptPanel job={job} />}
          </Guarded>
        </div>
        <MappingPanel job={job} />
        <EnvironmentsPanel job={job} />
      </Sheet>
      <Guarded>
        {job.run !== null && over && job.state !== 'failed' && <ReplayPanel run={job.run} actions={replay} />}
      </Guarded>
    </>
  )
}
