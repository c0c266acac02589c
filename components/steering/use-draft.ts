'use client'
/* Owns the draft of a run: kept for the tab's session, mirrored in the address of the Steering page, shared with the strip.
   Invariant: an address that brings a draft wins over the session's; what links ask for is added once and taken out of the address. */
import { useCallback, useEffect, useSyncExternalStore } from 'react'
import type { OverrideInput } from '@/lib/contract/steering'
import { changesAsked, decodeDraft, encodeDraft, withChange } from '@/lib/view/steering-draft'

const EVENT = 'envsched:draft'
const ASKED = ['pause', 'boost', 'ban', 'pin']
const keyOf = (run: string) => `envsched-draft-${run}`

function read(run: string): string {
  return sessionStorage.getItem(keyOf(run)) ?? ''
}

function write(run: string, text: string): void {
  if (text === '') sessionStorage.removeItem(keyOf(run))
  else sessionStorage.setItem(keyOf(run), text)
  window.dispatchEvent(new Event(EVENT))
}

function listen(onChange: () => void): () => void {
  window.addEventListener(EVENT, onChange)
  return () => window.removeEventListener(EVENT, onChange)
}

/** The draft as written in the address, "" when there is none. */
export function useDraftText(run: string): string {
  return useSyncExternalStore(
    listen,
    () => read(run),
    () => '',
  )
}

// Colons and commas are allowed in a query; leaving them as they are keeps the draft readable.
function mirror(text: string): void {
  const params = new URLSearchParams(window.location.search)
  for (const name of ASKED) params.delete(name)
  if (text === '') params.delete('draft')
  else params.set('draft', text)
  const query = params.toString().replaceAll('%3A', ':').replaceAll('%2C', ',')
  window.history.replaceState(null, '', query === '' ? window.location.pathname : `?${query}`)
}

export function useDraft(run: string): [OverrideInput[], (draft: readonly OverrideInput[]) => void] {
  const text = useDraftText(run)
  useEffect(() => {
    const params = new URLSearchParams(window.location.search)
    const base = params.get('draft') ?? read(run)
    const text = encodeDraft(changesAsked(params).reduce(withChange, decodeDraft(base)))
    write(run, text)
    // After the router's own first effects: before them the address is not yet its own to change.
    const timer = setTimeout(() => mirror(text), 0)
    return () => clearTimeout(timer)
  }, [run])
  const set = useCallback(
    (draft: readonly OverrideInput[]) => {
      const next = encodeDraft(draft)
      write(run, next)
      mirror(next)
    },
    [run],
  )
  return [decodeDraft(text), set]
}
