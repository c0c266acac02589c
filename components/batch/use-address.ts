'use client'
/* Owns what of a view stands in the address: reads it, and writes single names without a navigation, so that nothing scrolls or reloads.
   What was written is there at once; the router follows when it has time. */
import { useSearchParams } from 'next/navigation'
import { useCallback, useEffect, useState } from 'react'

export type AddressPatch = Record<string, string | null>

export function useAddress(): [{ get: (name: string) => string | null }, (patch: AddressPatch) => void] {
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
  const write = useCallback((patch: AddressPatch) => {
    const next = new URLSearchParams(window.location.search)
    for (const [name, value] of Object.entries(patch)) {
      if (value === null) next.delete(name)
      else next.set(name, value)
    }
    setWritten(next)
    // Colons and commas are allowed in a query; leaving them as they are keeps a draft readable.
    const text = next.toString().replaceAll('%3A', ':').replaceAll('%2C', ',')
    window.history.replaceState(null, '', text === '' ? window.location.pathname : `?${text}`)
  }, [])
  return [written ?? params, write]
}
