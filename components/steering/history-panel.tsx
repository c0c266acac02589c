'use client'
/* Owns the history: every change with author, note, before and after; undo as a new entry, with a note of its own. */
import Link from 'next/link'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { Panel } from '@/components/ui/panel'
import { NothingState } from '@/components/ui/panel-state'
import { Popover } from '@/components/ui/popover'
import type { Override } from '@/lib/contract/steering'
import { formatTime } from '@/lib/view/format'
import { historyTwin } from '@/lib/view/steering-twin'
import { undoState } from '@/lib/view/steering-words'

const SHOWN = 8

const WORDS = { undone: 'undone', expired: 'expired', ended: 'ended', none: '' } as const

function Undo({ entry, batch, onUndo }: { entry: Override; batch: number; onUndo: (note: string) => Promise<void> }) {
  const [note, setNote] = useState('')
  const [busy, setBusy] = useState<boolean>(false)
  const state = undoState(entry)
  if (state !== 'undo') return <span className="text-12 text-ink-3">{WORDS[state]}</span>
  return (
    <Popover
      label={`Undo ${entry.sentence}`}
      triggerClass="btn undo-trigger"
      align="end"
      className="w-[260px]"
      trigger={
        <>
          <Icon name="undo" />
          Undo
        </>
      }
    >
      {(close) => (
        <form
          className="grid gap-2 p-3 text-left"
          onSubmit={(event) => {
            event.preventDefault()
            setBusy(true)
            void onUndo(note).then(() => {
              setBusy(false)
              close()
            })
          }}
        >
          <p className="whitespace-normal text-12 text-ink-2">
            Back to {entry.before} from batch {batch}, as a new entry.
          </p>
          <input
            className="input"
            aria-label="Why it is undone"
            placeholder="Why (kept in the history)"
            maxLength={500}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
          <Button type="submit" size="small" disabled={busy === true}>
            {busy === true ? 'Undoing' : `Undo from batch ${batch}`}
          </Button>
        </form>
      )}
    </Popover>
  )
}

/** The sentence of a weight, a share or a quota names both values already. */
const SAYS_BOTH: readonly Override['kind'][] = ['weight', 'uniform_share', 'group_sizing', 'quota']
const saysBoth = ({ kind }: Override) => SAYS_BOTH.includes(kind)

export function HistoryPanel({
  run,
  history,
  nextBatch,
  onUndo,
}: {
  run: string
  history: readonly Override[]
  nextBatch: number
  onUndo: (entry: Override, note: string) => Promise<void>
}) {
  const [all, setAll] = useState<boolean>(false)
  const newest = [...history].sort((a, b) => b.number - a.number)
  const shown = all === true ? newest : newest.slice(0, SHOWN)
  return (
    <Panel title="History" sub="every change is an entry; undo adds one" twin={historyTwin(newest)} twinHeight={260}>
      {newest.length === 0 ? (
        <NothingState title="No change yet" height={112}>
          What is applied here is listed with its author, note, before and after.
        </NothingState>
      ) : (
        <>
          <table className="tbl" aria-label="History">
            <thead>
              <tr>
                <th scope="col" className="num w-[44px]">
                  batch
                </th>
                <th scope="col">change, by whom and why</th>
                <th scope="col" className="num w-[84px]">
                  <span className="sr-only">undo</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.map((entry) => (
                <tr key={entry.id} title={formatTime(entry.at, '')}>
                  <td className="num w-[44px]">
                    <Link
                      href={`/runs/${encodeURIComponent(run)}/batch?batch=${entry.from}`}
                      aria-label={`Batch ${entry.from}`}
                    >
                      {entry.from}
                    </Link>
                  </td>
                  <td className="wrap-anywhere">
                    <span className="text-ink-3">{entry.letter}</span> {entry.sentence}
                    <span className="why">
                      {entry.author}
                      {saysBoth(entry) ? '' : `, ${entry.before} to ${entry.after}`}
                      {entry.note !== null && (
                        <>
                          : <span>{entry.note}</span>
                        </>
                      )}
                    </span>
                  </td>
                  <td className="num w-[84px] align-top!">
                    <Undo entry={entry} batch={nextBatch} onUndo={(note) => onUndo(entry, note)} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {newest.length > SHOWN && (
            <Button size="small" kind="quiet" className="mt-1" onClick={() => setAll(all !== true)}>
              {all === true ? `Newest ${SHOWN}` : `${newest.length - SHOWN} earlier`}
            </Button>
          )}
        </>
      )}
    </Panel>
  )
}
