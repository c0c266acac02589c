'use client'
/* Owns which columns of a table a person has put away, kept in this browser by the table's name.
   Invariant: what is kept are the hidden ones, so that a column that is new later is shown; a store that is full or locked is no error. */
import { useCallback, useSyncExternalStore } from 'react'

const PREFIX = 'envsched-columns:'
const NONE: readonly string[] = []
const listeners = new Set<() => void>()
const read = new Map<string, readonly string[]>()

/** "Picks of batch 12" and "Picks of batch 13" are one table. */
export const tableName = (label: string): string => label.replace(/\d+/g, 'n')

function hiddenOf(name: string): readonly string[] {
  const known = read.get(name)
  if (known !== undefined) return known
  let hidden = NONE
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(PREFIX + name) ?? '[]')
    if (Array.isArray(stored)) hidden = stored.filter((key) => typeof key === 'string')
  } catch {
    // unreadable: as if nothing were hidden
  }
  read.set(name, hidden)
  return hidden
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The keys of the hidden columns and how to hide or show one. */
export function useColumnChoice(label: string): [readonly string[], (key: string, shown: boolean) => void] {
  const name = tableName(label)
  const hidden = useSyncExternalStore(
    subscribe,
    () => hiddenOf(name),
    () => NONE,
  )
  const choose = useCallback(
    (key: string, shown: boolean) => {
      const rest = hiddenOf(name).filter((other) => other !== key)
      const next = shown ? rest : [...rest, key]
      read.set(name, next)
      try {
        if (next.length === 0) localStorage.removeItem(PREFIX + name)
        else localStorage.setItem(PREFIX + name, JSON.stringify(next))
      } catch {
        // kept for this page only
      }
      for (const listener of listeners) listener()
    },
    [name],
  )
  return [hidden, choose]
}
