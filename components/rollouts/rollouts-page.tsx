'use client'
/* Owns the Rollouts page: filters, the verdict on the open rollout's group, the list and the reader side by side.
   Invariant: what is open stays open, and the list stays where it is, while the run goes on. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type CSSProperties, useEffect, useRef, useState } from 'react'
import { useRestHeight } from '@/components/graph/use-rest-height'
import { tabPath } from '@/components/shell/run-tabs'
import { Guarded } from '@/components/ui/sheet'
import { useKeys } from '@/components/ui/use-keys'
import { Verdict } from '@/components/ui/verdict'
import { type RolloutSearch, rolloutQuery } from '@/lib/client/rollout'
import type { RolloutDetail, RolloutGroup } from '@/lib/contract/rollout-group'
import { foundWords, rolloutRows, stepInList } from '@/lib/view/rollout-rows'
import { alikeSearch, isFiltered, searchQuery } from '@/lib/view/rollout-search'
import { rolloutVerdict } from '@/lib/view/rollout-verdict'
import { ListPane } from './list-pane'
import { RolloutFilters } from './rollout-filters'
import { RolloutReader } from './rollout-reader'
import { useListBegin } from './use-list-begin'
import { useRolloutAddress } from './use-rollout-address'
import { type RolloutList, useRolloutList } from './use-rollout-list'

const LEAST = 460
/** keeps its height while it is empty */
const BLANK = '\u00a0'

function waitingWords(list: RolloutList, search: RolloutSearch): string {
  if (!list.known) return list.error === null ? BLANK : 'The rollouts could not be loaded.'
  if (list.groups.length > 0 || list.more !== null) return 'Nothing of this group is back yet.'
  return isFiltered(search) ? 'No rollout matches these filters.' : 'Nothing came back yet.'
}

/** The first rollout that is back, of the group that the address names if it does. */
function firstOf(groups: readonly RolloutGroup[], group: string | null): string | null {
  const from = group === null ? groups : groups.filter(({ id }) => id === group)
  return from.find(({ rollouts }) => rollouts.length > 0)?.rollouts[0]?.ref ?? null
}

function GroupVerdict({ detail, waiting }: { detail: RolloutDetail | undefined; waiting: string }) {
  if (detail === undefined) return <Verdict context={BLANK}>{waiting}</Verdict>
  const { answer, context } = rolloutVerdict(detail)
  return <Verdict context={context === '' ? BLANK : context}>{answer}</Verdict>
}

export function RolloutsPage({ run }: { run: string }) {
  const address = useRolloutAddress()
  const { search } = address
  const begin = useListBegin(run, JSON.stringify(search), address.group, address.rollout)
  const list = useRolloutList(run, search, begin.below, !begin.waits)
  const rows = rolloutRows(list.groups)
  const shown = rows.filter(({ kind }) => kind === 'rollout').length

  // where nothing was chosen the first rollout is open, and stays so when newer ones come
  const [first, setFirst] = useState<string | null>(null)
  const firstRef = list.settled ? firstOf(list.groups, address.group) : null
  useEffect(() => {
    if (first === null && firstRef !== null) setFirst(firstRef)
  }, [first, firstRef])
  const selected = address.rollout ?? first
  const detail = useQuery({
    ...rolloutQuery(run, selected ?? '', false),
    enabled: selected !== null,
    placeholderData: keepPreviousData,
  }).data

  const hold = () => begin.hold(list.groups[0]?.number)
  const open = (ref: string | null | undefined, step: boolean) => {
    if (ref === null || ref === undefined || ref === selected) return
    hold()
    address.open(ref, step)
  }
  useKeys({
    j: () => open(stepInList(rows, selected, 1), false),
    k: () => open(stepInList(rows, selected, -1), false),
    '[': () => open(detail?.previous, false),
    ']': () => open(detail?.next, false),
  })
  const filter = (patch: Partial<RolloutSearch>) => {
    setFirst(null)
    address.filter(patch)
  }
  const clear = () => {
    setFirst(null)
    address.clear()
  }

  const split = useRef<HTMLDivElement>(null)
  const height = useRestHeight(split, LEAST)
  const done = list.more === null
  return (
    <>
      <Guarded>
        <RolloutFilters
          run={run}
          search={search}
          onFilter={filter}
          onClear={clear}
          found={list.known ? foundWords({ total: list.total, of: list.of, shown, searched: list.searched, done }) : ''}
        />
      </Guarded>
      <GroupVerdict detail={selected === null ? undefined : detail} waiting={waitingWords(list, search)} />
      <div ref={split} className="split" style={{ '--split': `${height}px` } as CSSProperties}>
        <div className="split-list">
          <Guarded>
            <ListPane
              list={list}
              rows={rows}
              selected={selected}
              search={{ any: isFiltered(search), text: search.q !== null, task: search.task !== null }}
              hrefOf={(ref) => `${tabPath(run, 'rollouts')}?${searchQuery(search, ref)}`}
              onOpen={(ref) => open(ref, true)}
              onScrolled={hold}
              onNewest={() => {
                begin.newest()
                split.current?.querySelector('.rollout-scroll')?.scrollTo(0, 0)
              }}
              onClear={clear}
            />
          </Guarded>
        </div>
        <div className="split-reader">
          <Guarded>
            {selected !== null && (
              <RolloutReader
                run={run}
                rollout={selected}
                onOpen={(ref) => open(ref, false)}
                onAlike={(rollout) => filter(alikeSearch(rollout))}
              />
            )}
          </Guarded>
        </div>
      </div>
    </>
  )
}
