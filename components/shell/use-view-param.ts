'use client'
/* Owns one part of the view in the address, so that a link shows a colleague the same thing. Changing it neither loads nor scrolls. */
import { useCallback } from 'react'
import { useAddress } from './use-address'

/**
 * The value of a search parameter and how to set it; null takes it out of the address.
 * `step`: a change is a step of the browser's history, as a selection is.
 */
export function useViewParam(name: string, step = false): [string | null, (value: string | null) => void] {
  const [address, write] = useAddress()
  const set = useCallback((value: string | null) => write({ [name]: value }, step), [name, step, write])
  return [address.get(name), set]
}
