'use client'
/* Owns the start of a run on a task set that came in: what the set holds, a name, a scheduler, one button. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useId, useState, useTransition } from 'react'
import { tabPath } from '@/components/shell/run-tabs'
import { useMayOperate } from '@/components/shell/use-may-operate'
import { Button } from '@/components/ui/button'
import { FieldError } from '@/components/ui/field-error'
import { reached } from '@/lib/client/reached'
import { taskSetQuery } from '@/lib/client/task-set'
import type { StartRun as StartRunAction } from '@/lib/contract/action'
import type { RunSummary } from '@/lib/contract/run'
import { taskSetLine } from '@/lib/view/import-words'
import { SCHEDULER_WORDS } from '@/lib/view/run-words'

type Scheduler = RunSummary['scheduler']

const SCHEDULERS = Object.keys(SCHEDULER_WORDS) as Scheduler[]

export function StartRun({ taskSet, startRun }: { taskSet: string; startRun: StartRunAction }) {
  const id = useId()
  const router = useRouter()
  const client = useQueryClient()
  const { data, error } = useQuery(taskSetQuery(taskSet))
  const mayOperate = useMayOperate()
  const [typed, setTyped] = useState<string | null>(null)
  const [scheduler, setScheduler] = useState<Scheduler>('envsched')
  const [refusal, setRefusal] = useState<string | null>(null)
  const [busy, start] = useTransition()
  if (data === undefined) return <FieldError>{error?.message}</FieldError>
  if (mayOperate === false)
    return (
      <p className="text-12 text-ink-2">{taskSetLine(data)} A token with the scope operate may start a run on it.</p>
    )
  const name = (typed ?? data.name).trim()
  return (
    <form
      className="grid gap-2 border-t border-line-1 pt-2"
      onSubmit={(event) => {
        event.preventDefault()
        start(async () => {
          const answer = await reached(startRun({ taskSet, name, key: name, config: { scheduler } }))
          if (answer.ok === false) {
            setRefusal(answer.message)
            return
          }
          void client.invalidateQueries({ queryKey: ['task-sets'] })
          await client.invalidateQueries({ queryKey: ['runs'] })
          router.push(tabPath(answer.value.id, 'batch'))
        })
      }}
    >
      <p className="text-12 text-ink-2">{taskSetLine(data)}</p>
      <div className="field grid-cols-1">
        <label className="field-label" htmlFor={`${id}-name`}>
          Name of the run
        </label>
        <input
          id={`${id}-name`}
          className="input"
          value={typed ?? data.name}
          maxLength={120}
          onChange={(event) => setTyped(event.target.value)}
        />
        <span className="field-hint whitespace-normal">A trainer joins it with this name as its key.</span>
      </div>
      <div className="field grid-cols-1">
        <label className="field-label" htmlFor={`${id}-scheduler`}>
          Scheduler
        </label>
        <select
          id={`${id}-scheduler`}
          className="input"
          value={scheduler}
          onChange={(event) => setScheduler(SCHEDULERS.find((one) => one === event.target.value) ?? 'envsched')}
        >
          {SCHEDULERS.map((one) => (
            <option key={one} value={one}>
              {one}: {SCHEDULER_WORDS[one]}
            </option>
          ))}
        </select>
      </div>
      <FieldError>{refusal}</FieldError>
      <div>
        <Button type="submit" size="small" icon="play" disabled={busy === true || name === ''}>
          {busy === true ? 'Starting the run' : 'Start a run'}
        </Button>
      </div>
    </form>
  )
}
