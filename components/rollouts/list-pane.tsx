'use client'
/* Owns the left half: the list with what stands for it when there is none, what is newer above it, how far it goes below. */
import { useEffect } from 'react'
import { Button } from '@/components/ui/button'
import { ErrorState, LoadingState, NothingState, NotYetState } from '@/components/ui/panel-state'
import { formatCount } from '@/lib/view/format'
import type { RolloutListRow } from '@/lib/view/rollout-rows'
import { RolloutRows } from './rollout-list'
import type { RolloutList } from './use-rollout-list'

/** Rows that a search for text fills by itself before it waits for a scroll. */
const FILLED = 30

function Empty({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (!filtered) {
    return (
      <NotYetState title="No rollout yet" height={320}>
        The first groups stand here once a trainer has asked for a batch or reported rollouts.
      </NotYetState>
    )
  }
  return (
    <NothingState
      title="No rollout matches"
      height={320}
      action={
        <Button size="small" onClick={onClear}>
          Clear the filters
        </Button>
      }
    >
      None of the run's rollouts has all that is asked for. Take a filter away to see more.
    </NothingState>
  )
}

function End({ list, shown, looking }: { list: RolloutList; shown: number; looking: boolean }) {
  const count = formatCount(shown, 'rollout')
  if (list.error !== null) {
    return (
      <>
        Older groups could not be loaded.{' '}
        <Button size="small" kind="quiet" onClick={list.retry}>
          Try again
        </Button>
      </>
    )
  }
  if (looking) return `${count} found, looking further back.`
  if (list.more === null) return `${count} shown, down to the first.`
  return `${count} shown; older groups load as you scroll.`
}

export function ListPane({
  list,
  rows,
  selected,
  search,
  hrefOf,
  onOpen,
  onScrolled,
  onNewest,
  onClear,
}: {
  list: RolloutList
  rows: readonly RolloutListRow[]
  selected: string | null
  /** what of the filters matters here: any, text, one task */
  search: { any: boolean; text: boolean; task: boolean }
  hrefOf: (ref: string) => string
  onOpen: (ref: string) => void
  onScrolled: () => void
  onNewest: () => void
  onClear: () => void
}) {
  const { more, loading, known, error } = list
  const shown = rows.filter(({ kind }) => kind === 'rollout').length
  useEffect(() => {
    if (search.text && !loading && error === null && more !== null && shown < FILLED) more()
  }, [search.text, loading, error, more, shown])
  if (!known) {
    if (error === null) return <LoadingState height={420} />
    return (
      <ErrorState title="Could not load the rollouts" height={320} onRetry={list.retry}>
        {error.message}
      </ErrorState>
    )
  }
  if (rows.length === 0 && more === null) return <Empty filtered={search.any} onClear={onClear} />
  return (
    <>
      <RolloutRows
        rows={rows}
        selected={selected}
        hrefOf={hrefOf}
        onOpen={onOpen}
        onScrolled={onScrolled}
        more={loading || error !== null ? null : more}
        oneTask={search.task}
      />
      <div className="split-end">
        <span className="min-w-0">
          <End list={list} shown={shown} looking={search.text && loading} />{' '}
          <span className="narrow-only">1 column hidden: tokens.</span>
        </span>
        {list.newer > 0 && (
          <Button size="small" className="ml-auto" onClick={onNewest}>
            {formatCount(list.newer, 'newer group')}
          </Button>
        )}
      </div>
    </>
  )
}
