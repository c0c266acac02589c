'use client'
/* Owns which items of a long table are in the document: those in the window and some beside. Short tables are there whole, so that
   the browser's own search finds everything. Invariant: the table is as tall as if all rows were there. */
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useLayoutEffect, useState } from 'react'

/** Up to this many rows a table is whole. */
export const WHOLE_ROWS = 40
const BESIDE = 12

export interface RowWindow {
  /** positions of the items to show */
  shown: number[]
  /** px above and below them */
  above: number
  below: number
  /** for each item's row: keeps its true height */
  measure: (element: HTMLTableRowElement | null) => void
  /** brings an item into the window */
  reveal: (at: number) => void
}

export function useRowWindow(table: RefObject<HTMLTableElement | null>, count: number, rowHeight: number): RowWindow {
  const [top, setTop] = useState(0)
  const long = count > WHOLE_ROWS
  useLayoutEffect(() => {
    const element = table.current
    if (element === null || !long) return
    const head = element.tHead?.offsetHeight ?? 0
    const place = element.getBoundingClientRect().top + window.scrollY + head
    setTop((before) => (Math.abs(before - place) < 1 ? before : place))
  })
  const virtual = useWindowVirtualizer({
    count: long ? count : 0,
    estimateSize: () => rowHeight,
    overscan: BESIDE,
    scrollMargin: top,
    initialRect: { width: 1280, height: 800 },
  })
  if (!long) {
    return {
      shown: Array.from({ length: count }, (_, at) => at),
      above: 0,
      below: 0,
      measure: () => {},
      reveal: () => {},
    }
  }
  const items = virtual.getVirtualItems()
  const last = items.at(-1)
  return {
    shown: items.map(({ index }) => index),
    above: (items[0]?.start ?? top) - top,
    below: last === undefined ? 0 : virtual.getTotalSize() - (last.end - top),
    measure: virtual.measureElement,
    reveal: (at) => virtual.scrollToIndex(at, { align: 'auto' }),
  }
}
