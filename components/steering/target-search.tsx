'use client'
/* Owns the search for a task or an environment of the run: type, arrows, Enter. Answers with the reference that was chosen.
   Must never know what is done with it. Shows nothing until something was typed or the field was opened. */
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, type RefObject, useDeferredValue, useId, useState } from 'react'
import { EnvTag } from '@/components/ui/env-tag'
import { Icon } from '@/components/ui/icon'
import { tasksQuery } from '@/lib/client/task'
import type { EnvironmentRef, TaskRef } from '@/lib/contract/task-set'

export type Found = { kind: 'environment'; environment: EnvironmentRef } | { kind: 'task'; task: TaskRef }

const idOf = (found: Found) => (found.kind === 'task' ? found.task.id : found.environment.id)
const keyOf = (found: Found) => (found.kind === 'task' ? found.task.key : found.environment.name)

function matches({ name, key, code }: EnvironmentRef, wanted: string): boolean {
  return `${name} ${key} ${code}`.toLowerCase().includes(wanted.toLowerCase())
}

export function TargetSearch({
  run,
  environments,
  tasks,
  label,
  placeholder,
  width,
  input,
  after,
  onFound,
}: {
  run: string
  /** environments that may be chosen; none where only tasks are meant */
  environments: readonly EnvironmentRef[]
  /** whether tasks may be chosen */
  tasks: boolean
  label: string
  placeholder: string
  width?: number
  input?: RefObject<HTMLInputElement | null>
  after?: ReactNode
  onFound: (found: Found) => void
}) {
  const id = useId()
  const [text, setText] = useState('')
  const [open, setOpen] = useState(false)
  const [at, setAt] = useState(0)
  const q = useDeferredValue(text.trim())
  const answer = useQuery({ ...tasksQuery(run, { q, limit: 8, sort: 'variance' }), enabled: open === true && tasks })
  const found: Found[] = [
    ...environments
      .filter((environment) => matches(environment, q))
      .slice(0, tasks && q === '' ? 4 : 8)
      .map((environment): Found => ({ kind: 'environment', environment })),
    ...(tasks ? (answer.data?.items ?? []) : []).map(
      (row): Found => ({ kind: 'task', task: { id: row.id, key: row.key, environment: row.environment } }),
    ),
  ]
  const chosen = found[Math.min(at, found.length - 1)]
  const take = (one: Found | undefined) => {
    if (one === undefined) return
    setText('')
    setOpen(false)
    onFound(one)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setOpen(false)
    if (event.key === 'Enter') {
      event.preventDefault()
      take(chosen)
    }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    setOpen(true)
    const by = event.key === 'ArrowDown' ? 1 : -1
    setAt(Math.min(found.length - 1, Math.max(0, Math.min(at, found.length - 1) + by)))
  }
  return (
    <div className="combo" style={width === undefined ? undefined : { width }}>
      <label className="input flex items-center gap-[6px]">
        <Icon name="search" className="text-ink-3" />
        <input
          ref={input}
          className="min-w-0 flex-1 bg-transparent outline-none placeholder:text-ink-3"
          role="combobox"
          aria-label={label}
          aria-expanded={open}
          aria-controls={`${id}-list`}
          aria-activedescendant={open === true && chosen !== undefined ? `${id}-${idOf(chosen)}` : undefined}
          autoComplete="off"
          placeholder={placeholder}
          value={text}
          onFocus={() => setOpen(true)}
          onBlur={() => setOpen(false)}
          onChange={(event) => {
            setText(event.target.value)
            setAt(0)
            setOpen(true)
          }}
          onKeyDown={onKey}
        />
        {after}
      </label>
      {open === true && (
        <div className="combo-list pop" role="listbox" id={`${id}-list`} aria-label={label} tabIndex={-1}>
          {found.map((one) => (
            <div
              key={`${one.kind}-${idOf(one)}`}
              id={`${id}-${idOf(one)}`}
              role="option"
              tabIndex={-1}
              aria-selected={one === chosen}
              onPointerDown={(event) => {
                event.preventDefault()
                take(one)
              }}
            >
              <EnvTag environment={one.kind === 'task' ? one.task.environment : one.environment} />
              <span className="truncate">{keyOf(one)}</span>
            </div>
          ))}
          {found.length === 0 && (
            <p className="px-2 py-[6px] text-12 text-ink-2">
              {answer.isFetching ? 'Searching' : `Nothing matches "${q}". Use fewer letters.`}
            </p>
          )}
        </div>
      )}
    </div>
  )
}
