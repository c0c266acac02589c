'use client'
/* Owns applying one instruction in place: says when it takes effect, offers to undo, and marks what the run shows as old. */
import { useQueryClient } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { useToast } from '@/components/ui/toast'
import type { ApplyDraft, UndoOverride } from '@/lib/contract/action'
import type { OverrideInput } from '@/lib/contract/steering'

export interface SteerActions {
  apply: ApplyDraft
  undo: UndoOverride
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

  const steer = (change: OverrideInput, done?: () => void) =>
    start(async () => {
      setRefusal(null)
      // In place there was no preview that the moved log could make untrue.
      const answer = await actions.apply(run, { changes: [change], note: '', cursor, anyway: true })
      if (answer.ok === false) {
        setRefusal(answer.issues[0]?.message ?? answer.message)
        return
      }
      const made = answer.value.overrides[0]
      toast({
        tone: 'ok',
        text: `Takes effect in batch ${answer.value.fromBatch}.`,
        action: made === undefined ? undefined : { label: 'Undo', run: () => undo(made.id) },
      })
      done?.()
      await refresh()
    })

  return { steer, busy, refusal }
}
