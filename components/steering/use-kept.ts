'use client'
/* Owns short texts that this browser keeps a run: all tabs see a change at once, a reload finds it again. */
import { useCallback, useSyncExternalStore } from 'react'

const EVENT = 'envsched:kept'

export function readKept(key: string): string {
  return localStorage.getItem(key) ?? ''
}

/** The empty text forgets it. */
export function writeKept(key: string, text: string): void {
  if (text === '') localStorage.removeItem(key)
  else localStorage.setItem(key, text)
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
