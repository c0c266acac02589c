'use client'
/* Owns the draft of a run: kept by this browser for all tabs, mirrored in the address of the Steering page, shared with the strip.
   Invariants: an address that brings a draft wins, and the one it replaces is set aside, never lost; what links ask for is added
   once and taken out of the address. */
import { useCallback, useEffect } from 'react'
import type { OverrideInput } from '@/lib/contract/steering'
import { changesAsked, decodeDraft, encodeDraft, withChange } from '@/lib/view/steering-draft'
import { readKept, useKept, writeKept } from './use-kept'

const ASKED = ['pause', 'boost', 'ban', 'pin']
const keyOf = (run: string) => `envsched-draft-${run}`
const asideOf = (run: string) => `envsched-draft-aside-${run}`

/** The draft as written in the address, "" when there is none. */
export function useDraftText(run: string): string {
  return useKept(keyOf(run))[0]
}

/** The note that goes with it into the history. */
export function useDraftNote(run: string): [string, (note: string) => void] {
  return useKept(`envsched-draft-note-${run}`)
}

/** Adds to the draft from anywhere; answers how many changes it has now. */
export function addToDraft(run: string, change: OverrideInput): number {
  const draft = withChange(decodeDraft(readKept(keyOf(run))), change)
  writeKept(keyOf(run), encodeDraft(draft))
  return draft.length
}

// Colons and commas are allowed in a query; leaving them as they are keeps the draft readable.
function mirror(text: string): void {
  const params = new URLSearchParams(window.location.search)
  for (const name of ASKED) params.delete(name)
  // Whom a draft was worked out for goes with it.
  if (text === '') for (const name of ['draft', 'for', 'worked']) params.delete(name)
  else params.set('draft', text)
  const query = params.toString().replaceAll('%3A', ':').replaceAll('%2C', ',')
  const next = query === '' ? window.location.pathname : `?${query}`
  if (next !== window.location.search) window.history.replaceState(null, '', next)
}

interface Aside {
  changes: OverrideInput[]
  /** Swaps it with the draft. */
  restore: () => void
  drop: () => void
}

export function useDraft(run: string): {
  draft: OverrideInput[]
  set: (draft: readonly OverrideInput[]) => void
  /** a draft that one from a link replaced, or null */
  aside: Aside | null
} {
  const text = useDraftText(run)
  const [aside, setAside] = useKept(asideOf(run))
  useEffect(() => {
    const params = new URLSearchParams(window.location.search)
    const own = read(run)
    const brought = params.get('draft')
    const base = brought === null ? own : encodeDraft(decodeDraft(brought))
    if (brought !== null && own !== '' && own !== base) writeKept(asideOf(run), own)
    writeKept(keyOf(run), encodeDraft(changesAsked(params).reduce(withChange, decodeDraft(base))))
  }, [run])
  useEffect(() => {
    // After the router's own first effects: before them the address is not yet its own to change.
    const timer = setTimeout(() => mirror(text), 0)
    return () => clearTimeout(timer)
  }, [text])
  const set = useCallback((draft: readonly OverrideInput[]) => writeKept(keyOf(run), encodeDraft(draft)), [run])
  const kept = decodeDraft(aside)
  return {
    draft: decodeDraft(text),
    set,
    aside:
      kept.length === 0
        ? null
        : {
            changes: kept,
            restore: () => {
              const current = read(run)
              writeKept(keyOf(run), aside)
              setAside(current)
            },
            drop: () => setAside(''),
          },
  }
}

const read = (run: string) => readKept(keyOf(run))
