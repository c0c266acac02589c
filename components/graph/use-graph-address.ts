'use client'
/* Owns the view's place in the address. Invariant: a change writes only what it names; a selection is a step of the
   history, everything else replaces the present one. */
import { useSearchParams } from 'next/navigation'
import { useCallback, useMemo } from 'react'
import { type GraphAddress, readAddress, writeAddress } from '@/lib/view/graph-address'

export type ChangeAddress = (part: Partial<GraphAddress>, step?: boolean) => void

export function useGraphAddress(): { address: GraphAddress; change: ChangeAddress } {
  const text = useSearchParams().toString()
  const address = useMemo(() => readAddress(new URLSearchParams(text)), [text])
  const change = useCallback<ChangeAddress>((part, step = false) => {
    const now = readAddress(new URLSearchParams(window.location.search))
    const query = writeAddress({ ...now, ...part })
    const url = query === '' ? window.location.pathname : `${window.location.pathname}?${query}`
    if (url === window.location.pathname + window.location.search) return
    if (step) window.history.pushState(null, '', url)
    else window.history.replaceState(null, '', url)
  }, [])
  return { address, change }
}
