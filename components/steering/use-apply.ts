'use client'
/* Owns the two writes of the page: apply a draft, undo an entry. Says what was done, and from which batch.
   Invariant: a draft whose log moved is shown again before it can be written, and again when a colleague steered meanwhile. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useToast } from '@/components/ui/toast'
import type { ApplyDraft, UndoOverride } from '@/lib/contract/action'
import type { Override, OverrideInput } from '@/lib/contract/steering'
import { formatCount } from '@/lib/view/format'
import { undoneSentence } from '@/lib/view/steering-words'
import type { PreviewState } from './use-preview'

const UNREACHED = 'The server cannot be reached. Nothing was written; try again.'

export interface Applied {
  fromBatch: number
  sentences: string[]
  /** of the entries that were written */
  ids: string[]
}

export function useApply(run: string, apply: ApplyDraft, undo: UndoOverride) {
  const client = useQueryClient()
  const toast = useToast()
  const [busy, setBusy] = useState(false)
  const [moved, setMoved] = useState<{ path: string; message: string }[] | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [applied, setApplied] = useState<Applied | null>(null)
  const refresh = () => client.invalidateQueries({ queryKey: ['run', run] })

  /** Answers true when it was written. */
  async function send(
    changes: OverrideInput[],
    note: string,
    sentences: string[],
    preview: PreviewState,
  ): Promise<boolean> {
    const seen = preview.kept?.preview
    if (seen === undefined) return false
    setBusy(true)
    setError(null)
    const { cursor, newestOverride } = seen
    const answer = await apply(run, { changes, note, cursor, newestOverride, anyway: moved !== null }).catch(() => null)
    if (answer === null) {
      setError(UNREACHED)
    } else if (answer.ok) {
      setMoved(null)
      const { fromBatch, overrides } = answer.value
      setApplied({ fromBatch, sentences, ids: overrides.map(({ id }) => id) })
      toast({ tone: 'ok', text: `${formatCount(changes.length, 'change')} applied from batch ${fromBatch}.` })
      void refresh()
    } else if (answer.code === 'log_moved') {
      await preview.again()
      setMoved(answer.issues)
      void refresh()
    } else {
      setError(answer.message)
    }
    setBusy(false)
    return answer?.ok === true
  }

  async function undoEntry(entry: Override, note: string): Promise<void> {
    const answer = await undo(run, entry.id, note).catch(() => null)
    if (answer === null) toast({ tone: 'bad', text: UNREACHED })
    else if (answer.ok) toast({ tone: 'ok', text: undoneSentence(entry, answer.value.from) })
    else toast({ tone: 'bad', text: answer.message })
    await refresh()
  }

  /** Any edit of the draft: what was said about the one before no longer holds. */
  const forget = () => {
    setMoved(null)
    setError(null)
    setApplied(null)
  }
  return { busy, moved, error, applied, send, undoEntry, forget }
}
