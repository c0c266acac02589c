'use client'
/* Owns short texts that this browser keeps a run: all tabs see a change at once, a reload finds it again. */
import { useCallback, useSyncExternalStore } from 'react'

const EVENT = 'envsched:kept'

/** What the browser would not keep, since it is full or may not: held until the page is left. */
const unkept = new Map<string, string>()

export function readKept(key: string): string {
  const held = unkept.get(key)
  if (held !== undefined) return held
  try {
    return localStorage.getItem(key) ?? ''
  } catch {
    return ''
  }
}

/** The empty text forgets it. */
export function writeKept(key: string, text: string): void {
  try {
    if (text === '') localStorage.removeItem(key)
    else localStorage.setItem(key, text)
    unkept.delete(key)
  } catch {
    unkept.set(key, text)
  }
  window.dispatchEvent(new Event(EVENT))
}

// `storage` comes from other tabs, the own event from this one.
function listen(onChange: () => void): () => void {
  window.addEventListener(EVENT, onChange)
  window.addEventListener('storage', onChange)
  return () => {
    window.removeEventListener(EVENT, onChange)
    window.removeEventListener('storage', onChange)
  }
}

export function useKept(key: string): [string, (text: string) => void] {
  const text = useSyncExternalStore(
    listen,
    () => readKept(key),
    () => '',
  )
  const set = useCallback((next: string) => writeKept(key, next), [key])
  return [text, set]
}
