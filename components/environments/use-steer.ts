'use client'
/* Owns applying one instruction in place: says when it takes effect, offers to undo, and marks what the run shows as old. */
import { useQueryClient } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { useToast } from '@/components/ui/toast'
import type { ApplyDraft, PreviewDraft, UndoOverride } from '@/lib/contract/action'
import type { OverrideInput } from '@/lib/contract/steering'

export interface SteerActions {
  apply: ApplyDraft
  undo: UndoOverride
  /** says in a sentence what a change would do, before it is applied */
  preview: PreviewDraft
}

export function useSteer(run: string, cursor: number, actions: SteerActions) {
  const client = useQueryClient()
  const toast = useToast()
  const [busy, start] = useTransition()
  const [refusal, setRefusal] = useState<string | null>(null)
  const refresh = () => client.invalidateQueries({ queryKey: ['run', run] })

  const undo = (id: string) =>
    start(async () => {
      const answer = await actions.undo(run, id, '')
      toast(answer.ok === true ? { tone: 'ok', text: 'Undone.' } : { tone: 'bad', text: answer.message })
      await refresh()
    })

  const steer = (change: OverrideInput, note = '', done?: () => void) =>
    start(async () => {
      setRefusal(null)
      // In place there is one sentence about the next batch, whichever that is: a moved log does not make it untrue.
      const answer = await actions.apply(run, { changes: [change], note, cursor, anyway: true })
      if (answer.ok === false) {
        setRefusal(answer.issues[0]?.message ?? answer.message)
        return
      }
      const made = answer.value.overrides[0]
      toast({
        tone: 'ok',
        text:
          made === undefined
            ? `Takes effect in batch ${answer.value.fromBatch}.`
            : `${made.sentence}: takes effect in batch ${answer.value.fromBatch}.`,
        action: made === undefined ? undefined : { label: 'Undo', run: () => undo(made.id) },
      })
      done?.()
      await refresh()
    })

  return { steer, busy, refusal }
}
