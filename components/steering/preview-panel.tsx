'use client'
/* Owns the preview: what enters and what leaves, with reasons, and the batch as cells. Writes nothing. */
import Link from 'next/link'
import { useState } from 'react'
import { EnvTag } from '@/components/ui/env-tag'
import { Panel } from '@/components/ui/panel'
import { ErrorState, LoadingState, NothingState, ZeroState } from '@/components/ui/panel-state'
import type { Preview, Steering } from '@/lib/contract/steering'
import { formatFixed } from '@/lib/view/format'
import { previewTwin } from '@/lib/view/steering-twin'
import { unchangedSentence } from '@/lib/view/steering-words'
import type { PreviewState } from './use-preview'

const SHOWN = 6
const HEIGHT = 348

type Entry = Preview['enters'][number]

function Move({ run, entry, enters }: { run: string; entry: Entry; enters: boolean }) {
  return (
    <tr>
      <td className="move-sign" data-enters={enters ? '' : undefined} aria-hidden="true">
        {enters ? '+' : '−'}
      </td>
      <td>
        <span className="flex items-center gap-2">
          <Link
            className="max-w-[24ch] truncate font-medium no-underline hover:underline"
            title={entry.task.key}
            href={`/runs/${encodeURIComponent(run)}/tasks/${encodeURIComponent(entry.task.id)}`}
          >
            {entry.task.key}
          </Link>
          <EnvTag environment={entry.task.environment} />
        </span>
        <span className="why">{entry.reason}</span>
      </td>
    </tr>
  )
}

function Moves({ run, entries, enters }: { run: string; entries: readonly Entry[]; enters: boolean }) {
  const [all, setAll] = useState<boolean>(false)
  const word = enters ? 'enter' : 'leave'
  const shown = all === true ? entries : entries.slice(0, SHOWN)
  return (
    <div className="min-w-0">
      <h4>
        {formatFixed(entries.length, 0)} {entries.length === 1 ? `${word}s` : word}
      </h4>
      <table className="tbl" data-rows="two" aria-label={enters ? 'Enter' : 'Leave'}>
        <tbody>
          {shown.map((entry) => (
            <Move key={entry.task.id} run={run} entry={entry} enters={enters} />
          ))}
        </tbody>
      </table>
      {entries.length > SHOWN && (
        <button
          type="button"
          className="mt-[3px] ml-5 min-h-6 text-12 text-ink-2 underline decoration-line-control underline-offset-[3px]"
          onClick={() => setAll(all !== true)}
        >
          {all === true ? `First ${SHOWN}` : `${entries.length - SHOWN} more ${word}`}
        </button>
      )}
    </div>
  )
}

function PreviewBody({ run, now, kept }: { run: string; now: Steering; kept: NonNullable<PreviewState['kept']> }) {
  const { preview, changes } = kept
  const change = preview.cells.filter((enters) => enters).length
  return (
    <>
      {preview.enters.length === 0 && preview.leaves.length === 0 ? (
        <ZeroState title="tasks change" height={140}>
          {unchangedSentence(preview, changes, now)}
        </ZeroState>
      ) : (
        <div className="moves">
          <Moves run={run} entries={preview.enters} enters />
          <Moves run={run} entries={preview.leaves} enters={false} />
        </div>
      )}
      <div className="mt-3 flex items-center gap-[10px]">
        <b className="whitespace-nowrap font-medium">{formatFixed(preview.stays, 0)} stay</b>
        <div className="cells" role="img" aria-label={`${preview.stays} stay, ${change} enter`}>
          {preview.cells.map((enters, i) => (
            <i key={`${String(i)}`} data-enters={enters ? '' : undefined} />
          ))}
        </div>
      </div>
      {preview.notes.length > 0 && (
        <ul className="mt-2 grid gap-[2px] text-12 text-ink-2">
          {preview.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </>
  )
}

export function PreviewPanel({
  run,
  now,
  state,
  asked,
}: {
  run: string
  now: Steering
  state: PreviewState
  /** what becomes of the task that the draft was worked out for, or null */
  asked: string | null
}) {
  const { kept } = state
  const preview = kept?.preview ?? null
  const sub =
    preview === null
      ? 'draft beside current, nothing is written'
      : state.fresh
        ? 'draft beside current, same seed, nothing is written'
        : 'of the draft before; the new one is being made'
  return (
    <Panel
      title={`Preview of batch ${preview?.batch ?? now.nextBatch}`}
      sub={<span aria-live="polite">{sub}</span>}
      twin={preview === null ? undefined : previewTwin(preview)}
      twinHeight={HEIGHT}
    >
      {state.error !== null && (
        <div className="mb-2">
          <ErrorState title="Could not make the preview" height={96} onRetry={() => void state.again()}>
            {state.error}
          </ErrorState>
        </div>
      )}
      {asked !== null && (
        <p className="mb-2 font-medium wrap-anywhere" role="status">
          {asked}
        </p>
      )}
      {kept !== null && <PreviewBody run={run} now={now} kept={kept} />}
      {preview === null && state.error === null && state.busy && <LoadingState height={HEIGHT} />}
      {preview === null && state.error === null && !state.busy && (
        <NothingState title="No draft" height={HEIGHT}>
          Move a weight, set a quota, or add a pin, ban, boost or pause. What enters and leaves stands here before
          anything is applied.
        </NothingState>
      )}
    </Panel>
  )
}
