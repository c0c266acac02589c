'use client'
/* Owns what of a view stands in the address: reads it, and writes single names without a navigation, so that nothing scrolls or reloads.
   What was written is there at once; the router follows when it has time. Invariant: a step can be undone with the browser's
   Back, so a selection is one; how the view is ordered or scaled is not. */
import { useSearchParams } from 'next/navigation'
import { useCallback, useEffect, useState } from 'react'

export type AddressPatch = Record<string, string | null>
/** Writes the named parts; null and the empty text take a name out. `step` makes it a step of the browser's history. */
export type WriteAddress = (patch: AddressPatch, step?: boolean) => void

export function useAddress(): [{ get: (name: string) => string | null }, WriteAddress] {
  const params = useSearchParams()
  const followed = params.toString()
  const [written, setWritten] = useState<URLSearchParams | null>(null)
  useEffect(() => {
    setWritten((ahead) => (ahead?.toString() === followed ? null : ahead))
  }, [followed])
  useEffect(() => {
    const forget = () => setWritten(null)
    window.addEventListener('popstate', forget)
    return () => window.removeEventListener('popstate', forget)
  }, [])
  const write = useCallback<WriteAddress>((patch, step = false) => {
    const next = new URLSearchParams(window.location.search)
    for (const [name, value] of Object.entries(patch)) {
      if (value === null || value === '') next.delete(name)
      else next.set(name, value)
    }
    setWritten(next)
    // Colons and commas are allowed in a query; leaving them as they are keeps a draft readable.
    const text = next.toString().replaceAll('%3A', ':').replaceAll('%2C', ',')
    const url = text === '' ? window.location.pathname : `?${text}`
    if (step) window.history.pushState(null, '', url)
    else window.history.replaceState(null, '', url)
  }, [])
  return [written ?? params, write]
}
