'use client'
/* Owns the history: every change with author, date, note, before, after and expiry; found by state and words; undo as a new entry.
   The filter and the chosen entry stand in the address. Invariant: an entry that a link names is shown whatever the filter says. */
import Link from 'next/link'
import { useEffect, useRef } from 'react'
import { useOverrideParam } from '@/components/charts/use-override-param'
import { useAddress } from '@/components/shell/use-address'
import { type Column, DataTable } from '@/components/ui/data-table'
import { Panel } from '@/components/ui/panel'
import { NothingState } from '@/components/ui/panel-state'
import { Segmented } from '@/components/ui/segmented'
import type { Override } from '@/lib/contract/steering'
import { formatTime } from '@/lib/view/format'
import { HISTORY_STATES, type HistoryState, shownHistory } from '@/lib/view/steering-history'
import { historyTwin } from '@/lib/view/steering-twin'
import { holdsInWords } from '@/lib/view/steering-words'
import { HistoryUndo } from './history-undo'

interface Acting {
  run: string
  nextBatch: number
  off: string | null
  onCompare: (id: string) => void
  onUndo: (entry: Override, note: string) => Promise<void>
}

function columns({ run, nextBatch, off, onCompare, onUndo }: Acting): Column<Override>[] {
  return [
    {
      key: 'batch',
      head: 'batch',
      width: 52,
      align: 'right',
      explain: 'The first batch that it holds for',
      sortBy: (entry) => entry.from,
      cell: (entry) => (
        <Link href={`/runs/${encodeURIComponent(run)}/batch?batch=${entry.from}`} aria-label={`Batch ${entry.from}`}>
          {entry.from}
        </Link>
      ),
    },
    {
      key: 'change',
      head: 'change and note',
      cell: (entry) => (
        <span className={`block min-w-[160px] whitespace-normal wrap-anywhere ${entry.superseded ? 'text-ink-3' : ''}`}>
          <button
            type="button"
            className="min-h-6 text-left hover:underline"
            title={`Before and after ${entry.letter}`}
            onClick={() => onCompare(entry.id)}
          >
            <span className="text-ink-3">{entry.letter}</span> {entry.sentence}
          </button>
          {entry.note !== null && <span className="why">{entry.note}</span>}
        </span>
      ),
    },
    {
      key: 'who',
      head: 'who',
      className: 'hide-phone',
      sortBy: (entry) => entry.author,
      cell: (entry) => (
        <span className="block max-w-[16ch] truncate" title={entry.author}>
          {entry.author}
        </span>
      ),
    },
    {
      key: 'at',
      head: 'when, UTC',
      sortBy: (entry) => entry.at,
      low: true,
      cell: (entry) => <span className="whitespace-nowrap text-ink-2">{formatTime(entry.at, 'n/a')}</span>,
    },
    {
      key: 'before',
      head: 'before',
      // a press on the entry tells it
      className: 'hide-phone',
      cell: (entry) => <span className="block max-w-[22ch] whitespace-normal wrap-anywhere">{entry.before}</span>,
    },
    {
      key: 'after',
      head: 'after',
      // a press on the entry tells it
      className: 'hide-phone',
      cell: (entry) => <span className="block max-w-[22ch] whitespace-normal wrap-anywhere">{entry.after}</span>,
    },
    {
      key: 'holds',
      head: 'holds',
      explain: 'How long it was given, counted in batches of the typical size, and what is left of it',
      low: true,
      cell: (entry) => <span className="whitespace-nowrap text-ink-2">{holdsInWords(entry)}</span>,
    },
    {
      key: 'acts',
      head: <span className="sr-only">undo</span>,
      align: 'right',
      cell: (entry) => (
        <span className="inline-block min-w-[64px] text-right">
          <HistoryUndo entry={entry} batch={nextBatch} disabled={off} onUndo={(note) => onUndo(entry, note)} />
        </span>
      ),
    },
  ]
}

export function HistoryPanel({
  run,
  history,
  nextBatch,
  off,
  onUndo,
}: {
  run: string
  history: readonly Override[]
  nextBatch: number
  /** why nothing can be undone, or null */
  off: string | null
  onUndo: (entry: Override, note: string) => Promise<void>
}) {
  const [address, write] = useAddress()
  const [, openEffect] = useOverrideParam()
  const box = useRef<HTMLDivElement>(null)
  const asked = address.get('history')
  const state: HistoryState = HISTORY_STATES.find((one) => one === asked) ?? 'all'
  const search = address.get('find') ?? ''
  const chosen = address.get('entry')
  const found = shownHistory(history, state, search)
  const linked = history.find(({ id }) => id === chosen)
  const rows = linked === undefined || found.includes(linked) ? found : [linked, ...found]
  const there = linked !== undefined
  // a run that was never restored has nothing superseded
  const states = HISTORY_STATES.filter(
    (one) => one !== 'superseded' || one === state || history.some(({ superseded }) => superseded),
  )
  useEffect(() => {
    if (there) box.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'center' })
  }, [there])
  return (
    <Panel
      title="History"
      sub="every change is an entry, undo adds one; press one for its before and after"
      twin={historyTwin(rows)}
      twinHeight={260}
      api={`/runs/${run}/overrides`}
      isTable
    >
      {history.length === 0 ? (
        <NothingState title="No change yet" height={148}>
          What is applied here is listed with its author, note, before and after.
        </NothingState>
      ) : (
        <div ref={box}>
          <div className="mb-2 flex flex-wrap items-center gap-2">
            <input
              className="input w-[220px]"
              aria-label="Search the history"
              placeholder="Who, what, why, batch 12"
              value={search}
              onChange={(event) => write({ find: event.target.value })}
            />
            <Segmented<HistoryState>
              label="Entries"
              options={states.map((value) => ({ value, label: value }))}
              value={state}
              onChange={(next) => write({ history: next === 'all' ? null : next })}
            />
            <span className="text-12 text-ink-3" role="status">
              {found.length} of {history.length}
            </span>
          </div>
          {rows.length === 0 ? (
            <NothingState title="No entry matches" height={112}>
              None of {String(history.length)} entries is {state === 'all' ? 'as searched for' : state}
              {search === '' ? '' : ` with "${search}"`}. Use fewer words or another state.
            </NothingState>
          ) : (
            <DataTable
              label="History"
              columns={columns({ run, nextBatch, off, onCompare: openEffect, onUndo })}
              rows={rows}
              rowKey={(entry) => entry.id}
              selected={(entry) => entry.id === chosen}
              onRow={(entry) => openEffect(entry.id)}
              size="two"
              padded
              keys
            />
          )}
        </div>
      )}
    </Panel>
  )
}
