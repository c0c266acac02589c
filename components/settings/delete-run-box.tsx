'use client'
/* Owns the typed confirmation: counts what goes, names what stays, says what a trainer will do. The button wakes when the name is whole. */
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useId, useState } from 'react'
import { Button } from '@/components/ui/button'
import { useToast } from '@/components/ui/toast'
import { reached } from '@/lib/client/reached'
import type { DeleteRun } from '@/lib/contract/action'
import type { DiskUse } from '@/lib/contract/disk'
import type { RunDetail } from '@/lib/contract/run'
import { deletionWords, trainerWords, typedHint } from '@/lib/view/settings-words'

export function DeleteRunBox({
  detail,
  disk,
  may,
  deleteRun,
}: {
  detail: RunDetail
  disk: DiskUse
  may: boolean
  deleteRun: DeleteRun
}) {
  const id = useId()
  const router = useRouter()
  const client = useQueryClient()
  const toast = useToast()
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState<boolean>(false)
  const [error, setError] = useState<string | null>(null)
  const { goes, stays } = deletionWords(disk, detail.taskSet.name)
  const trainer = trainerWords(detail.status)
  const hint = typedHint(typed, detail.name)
  const send = async () => {
    setBusy(true)
    const answer = await reached(deleteRun(detail.id, typed))
    setBusy(false)
    if (answer.ok === false) return setError(answer.message)
    toast({ tone: 'ok', text: `${answer.value.name} is deleted; the task set ${answer.value.taskSet.name} stays.` })
    router.push('/')
    await client.invalidateQueries({ queryKey: ['runs'] })
  }
  return (
    <form
      className="rounded-[6px] border border-line-2 px-3 py-[10px]"
      aria-label="Delete the run"
      onSubmit={(event) => {
        event.preventDefault()
        if (hint === null && may) void send()
      }}
    >
      <p>
        <b className="font-medium wrap-anywhere">Deletes {detail.name}:</b> {goes}
      </p>
      <p className="text-ink-2">
        {stays} {trainer}
      </p>
      <div className="field mt-2">
        <label className="field-label" htmlFor={id}>
          Type the name of the run to delete it
        </label>
        <span className="flex gap-2">
          <input
            id={id}
            className="input min-w-0 flex-1"
            value={typed}
            autoComplete="off"
            spellCheck={false}
            disabled={!may}
            aria-describedby={`${id}-hint`}
            onChange={(event) => {
              setTyped(event.target.value)
              setError(null)
            }}
          />
          <Button type="submit" kind="danger" disabled={!may || hint !== null || busy === true}>
            {busy === true ? 'Deleting' : 'Delete run'}
          </Button>
        </span>
        <span id={`${id}-hint`} className="field-hint" aria-live="polite">
          {error !== null && <span className="text-bad">{error} </span>}
          {error === null && typed !== '' && (hint ?? 'The name is whole.')}
          {error === null && typed === '' && (
            <>
              <a href="#export">Export first</a> what is to be kept.
            </>
          )}
        </span>
      </div>
    </form>
  )
}
