'use client'
/* Owns the undo of one entry: says what it would do before it is done, takes a note, and stays open while it is written. */
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { Popover } from '@/components/ui/popover'
import type { Override } from '@/lib/contract/steering'
import { undoSentence, undoState } from '@/lib/view/steering-words'

export function HistoryUndo({
  entry,
  batch,
  disabled,
  onUndo,
}: {
  entry: Override
  /** the first batch that it would hold for */
  batch: number
  /** why it cannot be done, or null */
  disabled: string | null
  onUndo: (note: string) => Promise<void>
}) {
  const [note, setNote] = useState('')
  const [busy, setBusy] = useState<boolean>(false)
  const state = undoState(entry)
  if (state !== 'undo') return <span className="text-12 text-ink-3">{state}</span>
  if (disabled !== null) {
    return (
      <span className="text-12 text-ink-3" title={disabled}>
        view only
      </span>
    )
  }
  return (
    <Popover
      label={`Undo ${entry.letter}: ${entry.sentence}`}
      triggerClass="btn undo-trigger"
      align="end"
      className="w-[280px]"
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
          <p className={`whitespace-normal text-12 ${entry.laterBy === null ? 'text-ink-2' : 'text-warn'}`}>
            {undoSentence(entry, batch)}
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
