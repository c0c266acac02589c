'use client'
/* Owns the list: a head for each group with its squares, a row for each rollout; only those in its window are in the document.
   Must never know what is filtered. Invariant: rows are 28 px, so that nothing moves when more come. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { type MouseEvent, useEffect, useRef } from 'react'
import { Num } from '@/components/ui/num'
import { RolloutSquares } from '@/components/ui/rollout-squares'
import type { RolloutGroup, RolloutLine } from '@/lib/contract/rollout-group'
import { formatCount, formatFixed } from '@/lib/view/format'
import { groupNote, outSentence, type RolloutListRow } from '@/lib/view/rollout-rows'
import { RolloutStatus } from './rollout-status'

const ROW = 28
const BESIDE = 14
/** Rows from the end at which older ones are asked for. */
const NEAR = 30

function GroupHead({ group, one }: { group: RolloutGroup; one: boolean }) {
  return (
    <td colSpan={6}>
      <span
        className="group-head"
        data-superseded={group.superseded ? '' : undefined}
        title={group.superseded ? 'A restore left it behind: it no longer counts' : undefined}
      >
        {one ? null : (
          <span className="w-[112px] truncate font-medium" title={`${group.task.key}, ${group.task.environment.name}`}>
            {group.task.key}
          </span>
        )}
        <span className={one ? 'font-medium' : 'w-[58px] text-ink-2'}>
          policy {formatFixed(group.policyVersion, 0)}
        </span>
        {one && group.batch !== null && <span className="text-ink-3">batch {formatFixed(group.batch, 0)}</span>}
        <RolloutSquares marks={group.result.squares} most={8} folded={5} stages={group.result.stages} words={false} />
        <span className="ml-auto text-12 text-ink-3">{groupNote(group)}</span>
      </span>
    </td>
  )
}

function LineCells({ line, href, onPress }: { line: RolloutLine; href: string; onPress: (event: MouseEvent) => void }) {
  return (
    <>
      <td className="num">
        <a
          className="rollout-link"
          href={href}
          onClick={onPress}
          aria-label={`Rollout ${line.position}, ${line.status}`}
        >
          {line.position}
        </a>
      </td>
      <td className="pl-2">
        <RolloutStatus status={line.status} />
      </td>
      <td className={`num ${line.fill !== null && line.fill >= 1 ? 'font-semibold' : ''}`}>
        <Num kind="reward" value={line.distrust === 'status' ? null : line.reward} absent="none" />
      </td>
      <td className="num">
        <Num kind="count" value={line.turns} absent="n/a" />
      </td>
      <td className="num rollout-tokens">
        <Num kind="count" value={line.tokens} absent="n/a" />
      </td>
      <td className="num">
        <Num kind="seconds" value={line.seconds} absent="n/a" />
      </td>
    </>
  )
}

export function RolloutRows({
  rows,
  selected,
  hrefOf,
  onOpen,
  onScrolled,
  more,
  oneTask,
}: {
  rows: readonly RolloutListRow[]
  selected: string | null
  hrefOf: (ref: string) => string
  onOpen: (ref: string) => void
  /** the list is no longer at its top */
  onScrolled: () => void
  /** asks for older groups; null at the end or while they come */
  more: (() => void) | null
  /** all groups are of one task: its name is left out */
  oneTask: boolean
}) {
  const box = useRef<HTMLElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: BESIDE,
    initialRect: { width: 392, height: 800 },
  })
  const items = virtual.getVirtualItems()
  const first = items[0]
  const last = items.at(-1)
  const nearEnd = last !== undefined && last.index >= rows.length - NEAR
  useEffect(() => {
    if (nearEnd && more !== null) more()
  }, [nearEnd, more])
  const at = rows.findIndex((row) => row.key === selected)
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at, { align: 'auto' })
  }, [at, virtual])
  const press = (ref: string) => (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    event.stopPropagation()
    onOpen(ref)
  }
  const above = first?.start ?? 0
  const below = last === undefined ? 0 : virtual.getTotalSize() - last.end
  return (
    <section
      ref={box}
      className="rollout-scroll"
      aria-label="Rollouts by group, scrolls"
      onScroll={(event) => {
        if (event.currentTarget.scrollTop > ROW) onScrolled()
      }}
    >
      <table className="tbl rollout-table" data-pad="" aria-label="Rollouts by group" aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            <th scope="col" className="num">
              #
            </th>
            <th scope="col" className="pl-2">
              status
            </th>
            <th scope="col" className="num">
              reward
            </th>
            <th scope="col" className="num">
              turns
            </th>
            <th scope="col" className="num rollout-tokens">
              tokens
            </th>
            <th scope="col" className="num">
              time
            </th>
          </tr>
        </thead>
        <tbody>
          {above > 0 && (
            <tr className="spacer">
              <td colSpan={6} style={{ height: above }} />
            </tr>
          )}
          {items.map(({ index }) => {
            const row = rows[index]
            if (row === undefined) return null
            if (row.kind === 'group') {
              return (
                <tr key={row.key} className="rollout-group" aria-rowindex={index + 2} data-group={row.key}>
                  <GroupHead group={row.group} one={oneTask} />
                </tr>
              )
            }
            if (row.kind === 'out') {
              return (
                <tr key={row.key} className="rollout-group" aria-rowindex={index + 2}>
                  <td colSpan={6} className="text-ink-2">
                    {outSentence(row.groups)}
                  </td>
                </tr>
              )
            }
            if (row.kind === 'hidden') {
              return (
                <tr key={row.key} aria-rowindex={index + 2}>
                  <td colSpan={6} className="text-12 text-ink-3">
                    {formatCount(row.group.hidden, 'more rollout')} of this group, in the export
                  </td>
                </tr>
              )
            }
            return (
              // the row repeats for the pointer what its link does for the keyboard
              <tr
                key={row.key}
                data-row={row.key}
                data-superseded={row.group.superseded ? '' : undefined}
                aria-rowindex={index + 2}
                aria-selected={row.key === selected ? true : undefined}
                onClick={press(row.key)}
              >
                <LineCells line={row.line} href={hrefOf(row.key)} onPress={press(row.key)} />
              </tr>
            )
          })}
          {below > 0 && (
            <tr className="spacer">
              <td colSpan={6} style={{ height: below }} />
            </tr>
          )}
        </tbody>
      </table>
    </section>
  )
}
