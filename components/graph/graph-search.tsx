'use client'
/* Owns the search box over tasks and islands: "/" leads there, arrows choose, Enter goes. */
import { type KeyboardEvent, useDeferredValue, useId, useRef, useState } from 'react'
import { Icon } from '@/components/ui/icon'
import { useKeys } from '@/components/ui/use-keys'
import type { GraphView } from '@/lib/contract/graph'
import type { GraphMatch } from '@/lib/view/graph-search'
import { IslandTag } from './island-tag'
import { useGraphMatches } from './use-graph-matches'

export interface GraphSearchProps {
  run: string
  graph: GraphView
  hues: readonly number[]
  /** key of the selected task, or empty */
  shown: string
  /** with the id of its environment, where it is known */
  onTask: (id: string, environment: string | null) => void
  onIsland: (island: number) => void
}

export function GraphSearch({ run, graph, hues, shown, onTask, onIsland }: GraphSearchProps) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState<string | null>(null)
  const [at, setAt] = useState(0)
  const wanted = useDeferredValue(typed ?? '')
  const matches = useGraphMatches(run, graph, wanted)
  useKeys({ '/': () => field.current?.focus() })

  const open = typed !== null && typed.trim() !== ''
  const choose = (match: GraphMatch | undefined) => {
    if (match === undefined) return
    setTyped(null)
    field.current?.blur()
    if (match.kind === 'task') onTask(match.id, graph.environments[match.environment]?.id ?? null)
    else onIsland(match.environment)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      setTyped(null)
      field.current?.blur()
    } else if (event.key === 'Enter') choose(matches[at])
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const by = event.key === 'ArrowDown' ? 1 : matches.length - 1
      setAt((now) => (matches.length === 0 ? 0 : (now + by) % matches.length))
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <search className="relative">
      <label className="input flex w-[196px] items-center gap-[6px]">
        <Icon name="search" className="text-ink-3" />
        <span className="sr-only">Search a task or an environment</span>
        <input
          ref={field}
          className="min-w-0 flex-1 bg-transparent outline-none placeholder:text-ink-3"
          role="combobox"
          aria-expanded={open}
          aria-controls={`${id}-list`}
          aria-activedescendant={open && matches[at] !== undefined ? `${id}-${at}` : undefined}
          aria-autocomplete="list"
          placeholder="Task or environment"
          value={typed ?? shown}
          onFocus={(event) => event.target.select()}
          onChange={(event) => {
            setTyped(event.target.value)
            setAt(0)
          }}
          onBlur={() => setTyped(null)}
          onKeyDown={onKey}
        />
        <kbd>/</kbd>
      </label>
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label="Tasks and environments found"
        className={`pop absolute top-8 left-0 z-20 w-[320px] py-1 ${open ? '' : 'hidden'}`}
      >
        {open && matches.length === 0 && (
          <p className="px-3 py-2 text-12 text-ink-2">No task or environment matches "{typed}".</p>
        )}
        {matches.map((match, i) => (
          // the pointer's way; the keyboard stays in the field
          <div
            key={match.kind === 'task' ? match.id : `island-${match.environment}`}
            id={`${id}-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === at}
            className="palette-item"
            onPointerDown={(event) => {
              event.preventDefault()
              choose(match)
            }}
          >
            <Icon name={match.kind === 'task' ? 'graph' : 'environment'} className="text-ink-3" />
            <span className="truncate">{match.label}</span>
            <IslandTag graph={graph} hues={hues} island={match.environment} />
          </div>
        ))}
      </div>
    </search>
  )
}
