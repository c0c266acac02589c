'use client'
/* Owns which override's before and after is open, in the address: a link shows it to a colleague, Back closes it. */
import { useCallback } from 'react'
import { useAddress } from '@/components/shell/use-address'

export function useOverrideParam(): [string | null, (id: string | null) => void] {
  const [address, write] = useAddress()
  const id = address.get('override')
  const set = useCallback(
    (next: string | null) => {
      // One step of Back closes it, however many were looked at.
      const closed = new URLSearchParams(window.location.search).get('override') === null
      write({ override: next }, closed)
    },
    [write],
  )
  return [id, set]
}
