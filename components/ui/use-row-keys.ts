'use client'
/* Owns j, k and Enter in a table: moves a current row and the focus to its first control. Never scrolls more than needed. */
import { type RefObject, useRef, useState } from 'react'
import { useKeys } from './use-keys'

export function useRowKeys(
  on: boolean,
  keys: readonly string[],
  open: (key: string) => void,
): { key: string | null; table: RefObject<HTMLTableElement | null> } {
  const table = useRef<HTMLTableElement>(null)
  const [key, setKey] = useState<string | null>(null)
  const move = (by: number) => {
    const at = key === null ? -1 : keys.indexOf(key)
    const next = keys[at === -1 ? (by > 0 ? 0 : keys.length - 1) : Math.min(keys.length - 1, Math.max(0, at + by))]
    if (next === undefined) return
    setKey(next)
    const row = [...(table.current?.querySelectorAll<HTMLElement>('tr[data-row]') ?? [])].find(
      (candidate) => candidate.dataset.row === next,
    )
    row?.scrollIntoView({ block: 'nearest' })
    row?.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true })
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
  return { key, table }
}
