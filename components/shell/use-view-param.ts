'use client'
/* Owns one part of the view in the address, so that a link shows a colleague the same thing. Changing it neither loads nor scrolls. */
import { useSearchParams } from 'next/navigation'
import { useCallback } from 'react'

/** The value of a search parameter and how to set it; null takes it out of the address. */
export function useViewParam(name: string): [string | null, (value: string | null) => void] {
  const params = useSearchParams()
  const set = useCallback(
    (value: string | null) => {
      const next = new URLSearchParams(window.location.search)
      if (value === null || value === '') next.delete(name)
      else next.set(name, value)
      const query = next.toString()
      window.history.replaceState(null, '', query === '' ? window.location.pathname : `?${query}`)
    },
    [name],
  )
  return [params.get(name), set]
}
