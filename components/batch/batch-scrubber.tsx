'use client'
/* Owns the scrubber: a column a batch, as high as its informative share; the shown one accent, the next one dashed.
   Must never know a batch's picks. Invariant: "not yet" is a dashed foot, never a column of height 0. */
import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { ScrubberFlags } from '@/components/charts/scrubber-flags'
import { IconButton } from '@/components/ui/button'
import { Segmented } from '@/components/ui/segmented'
import { useKeys } from '@/components/ui/use-keys'
import type { BatchSummary } from '@/lib/contract/batch'
import type { RestorePoint } from '@/lib/contract/state'
import { scrubberColumns } from '@/lib/view/batch-scrubber'

const COLUMNS = 120
/** px a column takes at most, its gap included; run.css says the same */
const WIDEST = 25

const MOVES: Record<string, 1 | -1 | 'first' | 'newest'> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  Home: 'first',
  End: 'newest',
}

/** A batch's number, or the one that is not issued yet. */
export type Shown = number | 'next'

export function BatchScrubber({
  run,
  batches,
  newest,
  next = newest + 1,
  restores = [],
  shown,
  withNext,
  onShow,
}: {
  run: string
  batches: readonly BatchSummary[]
  newest: number
  /** number of the one that is not issued yet; without it the one after the newest */
  next?: number
  restores?: readonly RestorePoint[]
  shown: Shown
  /** false where only what was issued can be shown */
  withNext?: boolean
  onShow: (shown: Shown | 'newest') => void
}) {
  const hasNext = withNext !== false
  const track = useRef<HTMLDivElement>(null)
  const columns = scrubberColumns(batches, shown === 'next' ? null : shown, COLUMNS, restores)
  const first = columns[0]?.index ?? newest
  const step = (by: number) => {
    const indices = [...batches].map(({ index }) => index).sort((a, b) => a - b)
    if (shown === 'next') return by < 0 ? onShow('newest') : undefined
    const wanted = by > 0 ? indices.find((index) => index > shown) : indices.findLast((index) => index < shown)
    if (wanted !== undefined) onShow(wanted)
    else if (by > 0 && hasNext) onShow('next')
  }
  useKeys({ '[': () => step(-1), ']': () => step(1), l: () => onShow('newest') })
  const onKey = (event: KeyboardEvent) => {
    const move = MOVES[event.key]
    if (move === undefined) return
    event.preventDefault()
    if (move === 'first') onShow(first)
    else if (move === 'newest') onShow('newest')
    else step(move)
  }
  const onPointer = (event: PointerEvent) => {
    if (event.type === 'pointermove' && event.buttons !== 1) return
    const box = track.current?.getBoundingClientRect()
    if (box === undefined) return
    const at = Math.floor((event.clientX - box.left) / Math.min(box.width / (columns.length + 1), WIDEST))
    const column = columns[Math.min(Math.max(at, 0), columns.length)]
    const wanted = column !== undefined ? column.index : hasNext ? 'next' : newest
    if (wanted !== shown) onShow(wanted)
  }
  const value = shown === 'next' ? next : shown
  return (
    <div className="-mt-2 mb-3 flex items-center gap-[14px] max-sm:flex-wrap">
      <div className="flex items-center gap-2">
        <IconButton
          icon="left"
          size="small"
          label="Previous batch"
          disabled={shown === first}
          onClick={() => step(-1)}
        />
        <span className="whitespace-nowrap font-semibold">{shown === 'next' ? `Next, ${next}` : `Batch ${shown}`}</span>
        <IconButton
          icon="right"
          size="small"
          label="Next batch"
          disabled={shown === (hasNext ? 'next' : next - 1)}
          onClick={() => step(1)}
        />
      </div>
      <div className="relative min-w-[120px] flex-1 pt-[14px] max-sm:order-3 max-sm:basis-full">
        <ScrubberFlags run={run} batches={columns.map(({ index }) => index)} widest={WIDEST} />
        <div
          ref={track}
          className="scrubber"
          role="slider"
          tabIndex={0}
          aria-label="Batch"
          aria-valuemin={first}
          aria-valuemax={hasNext ? next : next - 1}
          aria-valuenow={value}
          aria-valuetext={
            shown === 'next'
              ? `next, ${next}`
              : (columns.find(({ index }) => index === shown)?.label ?? `Batch ${shown}`)
          }
          onKeyDown={onKey}
          onPointerDown={onPointer}
          onPointerMove={onPointer}
        >
          {columns.map((column) => (
            <i
              key={column.index}
              title={column.label}
              data-shown={column.index === shown ? '' : undefined}
              data-absent={column.share === null ? '' : undefined}
              data-superseded={column.superseded ? '' : undefined}
              style={column.share === null ? undefined : { height: `${Math.max(column.share * 100, 3)}%` }}
            />
          ))}
          {hasNext ? (
            <i data-next="" data-shown={shown === 'next' ? '' : undefined} title={`Batch ${next}, not issued yet`} />
          ) : (
            <i className="invisible" />
          )}
        </div>
      </div>
      <span className="hide-phone whitespace-nowrap text-12 text-ink-3">informative share by batch</span>
      <Segmented<'newest' | 'next' | 'other'>
        label="Which batch"
        options={[
          { value: 'newest', label: shown === newest || shown === 'next' ? 'Newest' : `Newest, ${newest}` },
          ...(hasNext ? [{ value: 'next' as const, label: `Next, ${next}` }] : []),
        ]}
        value={shown === 'next' ? 'next' : shown === newest ? 'newest' : 'other'}
        onChange={(choice) => onShow(choice === 'next' ? 'next' : 'newest')}
      />
    </div>
  )
}
