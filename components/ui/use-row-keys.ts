'use client'
/* Owns j, k and o in a table: moves a current row and the focus to its first control. Never scrolls more than needed.
   In a long table the row may not be in the document yet: it is asked for first, and focused when it is there. */
import { type RefObject, useState } from 'react'
import { useKeys } from './use-keys'

const FRAMES = 20

export function useRowKeys(
  table: RefObject<HTMLTableElement | null>,
  on: boolean,
  keys: readonly string[],
  open: (key: string) => void,
  reveal: (key: string) => void,
): string | null {
  const [key, setKey] = useState<string | null>(null)
  const move = (by: number) => {
    const at = key === null ? -1 : keys.indexOf(key)
    const next = keys[at === -1 ? (by > 0 ? 0 : keys.length - 1) : Math.min(keys.length - 1, Math.max(0, at + by))]
    if (next === undefined) return
    setKey(next)
    const focus = (frames: number) => {
      const row = [...(table.current?.querySelectorAll<HTMLElement>('tr[data-row]') ?? [])].find(
        (candidate) => candidate.dataset.row === next,
      )
      if (row === undefined) {
        if (frames > 0) requestAnimationFrame(() => focus(frames - 1))
        return
      }
      row.scrollIntoView({ block: 'nearest' })
      row.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true })
    }
    reveal(next)
    focus(FRAMES)
  }
  useKeys(
    on
      ? {
          j: () => move(1),
          k: () => move(-1),
          o: () => {
            if (key !== null) open(key)
          },
        }
      : {},
  )
  return key
}
