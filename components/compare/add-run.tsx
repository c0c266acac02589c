'use client'
/* Owns the choice of a further run: those of the same task set first, searched by name. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Icon } from '@/components/ui/icon'
import { Popover } from '@/components/ui/popover'
import { StatusDot } from '@/components/ui/status-dot'
import { runsQuery } from '@/lib/client/run'
import { MOST_COMPARED } from '@/lib/contract/comparison'
import type { RunSummary } from '@/lib/contract/run'
import { placesLeft } from '@/lib/view/compare-words'
import { candidates } from '@/lib/view/run-filter'

export function AddRun({ ids, onAdd }: { ids: readonly string[]; onAdd: (id: string) => void }) {
  const { data } = useQuery(runsQuery())
  const [query, setQuery] = useState('')
  const full = ids.length >= MOST_COMPARED
  const runs = candidates(data?.items ?? [], ids, query)
  return (
    <span className="inline-flex items-center gap-2">
      {full ? null : (
        <Popover
          label="Add a run"
          triggerClass="btn"
          className="w-[min(360px,calc(100vw-32px))] p-2"
          trigger={
            <>
              <Icon name="plus" />
              Add a run
            </>
          }
        >
          {(close) => (
            <>
              <input
                className="input mb-1 w-full"
                placeholder="Name of a run"
                aria-label="Name of the run to add"
                value={query}
                onChange={(event) => setQuery(event.target.value)}
              />
              <ul className="max-h-[280px] overflow-y-auto" aria-label="Runs to add">
                {runs.map((run) => (
                  <li key={run.id}>
                    <Candidate
                      run={run}
                      onChoose={() => {
                        onAdd(run.id)
                        setQuery('')
                        close()
                      }}
                    />
                  </li>
                ))}
              </ul>
              {runs.length === 0 && (
                <p className="px-2 py-2 text-12 text-ink-2">
                  {query === '' ? 'There is no further run.' : `No run matches "${query}". Use fewer letters.`}
                </p>
              )}
            </>
          )}
        </Popover>
      )}
      <span className="text-12 text-ink-3">{placesLeft(ids.length, MOST_COMPARED)}</span>
    </span>
  )
}

function Candidate({ run, onChoose }: { run: RunSummary; onChoose: () => void }) {
  return (
    <button
      type="button"
      className="grid min-h-[28px] w-full grid-cols-[14px_minmax(0,1fr)_auto] items-center gap-2 rounded-[3px] px-2 text-left text-12 hover:bg-surface-2"
      onClick={onChoose}
    >
      <StatusDot status={run.status} />
      <span className="truncate">{run.name}</span>
      <span className="max-w-[150px] truncate text-ink-3">
        {run.scheduler}, {run.taskSet.name}
      </span>
    </button>
  )
}
