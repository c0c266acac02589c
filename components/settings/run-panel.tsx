'use client'
/* Owns the run's name and its end. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { FieldError } from '@/components/ui/field-error'
import { Panel } from '@/components/ui/panel'
import { ErrorState, LoadingState } from '@/components/ui/panel-state'
import { useToast } from '@/components/ui/toast'
import { reached } from '@/lib/client/reached'
import { runQuery } from '@/lib/client/run'
import type { PatchRun } from '@/lib/contract/action'
import type { RunDetail, RunPatch } from '@/lib/contract/run'
import { formatCount, formatFixed, formatTime } from '@/lib/view/format'
import { restoreSentence } from '@/lib/view/restore-words'
import { useMayWrite, WriteReason } from './may-write'

const HEIGHT = 120

const EPOCHS = 4

/** A restore begins an epoch; the newest ones, with who and when. */
function Epochs({ restores }: { restores: RunDetail['restores'] }) {
  if (restores.length === 0)
    return <p className="mt-2 text-ink-3">Epoch 1: no trainer has restored an earlier state of it.</p>
  return (
    <ul className="mt-2 text-ink-2" aria-label="Restores, newest first">
      {restores
        .slice(-EPOCHS)
        .map((point) => (
          <li key={point.epoch}>
            <b className="font-medium">Epoch {formatFixed(point.epoch, 0)}</b> {restoreSentence(point)}, by{' '}
            {point.author}, {formatTime(point.at, 'n/a')} UTC.
          </li>
        ))
        .reverse()}
    </ul>
  )
}

function RunForm({ detail, patchRun }: { detail: RunDetail; patchRun: PatchRun }) {
  const id = useId()
  const client = useQueryClient()
  const toast = useToast()
  const { may, reason } = useMayWrite()
  const [typed, setTyped] = useState<string | null>(null)
  const [ending, setEnding] = useState<boolean>(false)
  const [busy, setBusy] = useState<boolean>(false)
  const [error, setError] = useState<string | null>(null)
  const name = typed ?? detail.name
  const over = detail.status === 'finished' || detail.status === 'failed'
  const send = async (patch: RunPatch, done: string) => {
    setBusy(true)
    const answer = await reached(patchRun(detail.id, patch))
    setBusy(false)
    if (answer.ok === false) return setError(answer.message)
    setError(null)
    setTyped(null)
    setEnding(false)
    toast({ tone: 'ok', text: done })
    await client.invalidateQueries({ queryKey: ['run', detail.id] })
    await client.invalidateQueries({ queryKey: ['runs'] })
  }
  const renamed = name.trim() !== '' && name.trim() !== detail.name
  return (
    <div style={{ minHeight: HEIGHT }}>
      <form
        className="field"
        aria-label="Rename the run"
        onSubmit={(event) => {
          event.preventDefault()
          if (renamed) void send({ name: name.trim() }, `The run is called ${name.trim()} now.`)
        }}
      >
        <label className="field-label" htmlFor={id}>
          Name
        </label>
        <span className="flex gap-2">
          <input
            id={id}
            className="input min-w-0 flex-1"
            value={name}
            maxLength={120}
            disabled={!may}
            data-changed={renamed ? '' : undefined}
            onChange={(event) => setTyped(event.target.value)}
          />
          <Button type="submit" disabled={!may || busy === true || !renamed}>
            Rename
          </Button>
        </span>
      </form>
      <div className="mt-3 flex items-center gap-2">
        <span className="text-ink-2">
          {over
            ? `The run is ${detail.status}${detail.statusNote === null ? '' : `: ${detail.statusNote}`}.`
            : 'A trainer finishes its run by itself; here it can be ended for it.'}
        </span>
        <span className="flex-1" />
        {!over && (
          <Button size="small" disabled={!may} onClick={() => setEnding(true)}>
            Finish the run
          </Button>
        )}
      </div>
      <Epochs restores={detail.restores} />
      {!ending && <FieldError>{error}</FieldError>}
      <WriteReason reason={reason} />
      <Dialog open={ending} onClose={() => setEnding(false)} title={`Finish ${detail.name}?`}>
        <p className="mt-[6px] mb-3 text-ink-2">
          What came back is absorbed and the trainer&apos;s next request for a batch is refused
          {detail.leasesOpen === 0 ? '.' : `; ${formatCount(detail.leasesOpen, 'lease')} still out can report.`} Nothing
          is deleted.
        </p>
        <FieldError>{error}</FieldError>
        <div className="mt-2 flex justify-end gap-2">
          <Button onClick={() => setEnding(false)}>Let it go on</Button>
          <Button
            kind="primary"
            disabled={busy === true}
            onClick={() => void send({ status: 'finished' }, `${detail.name} is finished.`)}
          >
            Finish
          </Button>
        </div>
      </Dialog>
    </div>
  )
}

export function RunPanel({ run, patchRun }: { run: string; patchRun: PatchRun }) {
  const { data, error, refetch } = useQuery(runQuery(run))
  return (
    <Panel title="This run" sub="its name and its end" span={6}>
      {data === undefined && error === null && <LoadingState height={HEIGHT} />}
      {data === undefined && error !== null && (
        <ErrorState title="Could not load the run" height={HEIGHT} onRetry={() => void refetch()}>
          {error.message}
        </ErrorState>
      )}
      {data !== undefined && <RunForm detail={data} patchRun={patchRun} />}
    </Panel>
  )
}
