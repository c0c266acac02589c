'use client'
/* Owns which override's before and after is open, in the address: a link shows it to a colleague, Back closes it. */
import { useSearchParams } from 'next/navigation'
import { useCallback } from 'react'

const NAME = 'override'

/** The address of the page as it is, with this override open. */
export function withOverride(search: string, id: string | null): string {
  const params = new URLSearchParams(search)
  if (id === null) params.delete(NAME)
  else params.set(NAME, id)
  const query = params.toString().replaceAll('%3A', ':').replaceAll('%2C', ',')
  return query === '' ? window.location.pathname : `?${query}`
}

export function useOverrideParam(): [string | null, (id: string | null) => void] {
  const id = useSearchParams().get(NAME)
  const set = useCallback((next: string | null) => {
    const open = new URLSearchParams(window.location.search).get(NAME)
    if (next === open) return
    // One step of Back closes it, however many were looked at.
    const address = withOverride(window.location.search, next)
    if (open === null) window.history.pushState(null, '', address)
    else window.history.replaceState(null, '', address)
  }, [])
  return [id, set]
}
