/* Owns the address by which this browser reached the server: that one works, whatever the server listens on. Null before the page is live. */
import { useSyncExternalStore } from 'react'

const never = () => () => {}

export function useOrigin(): string | null {
  return useSyncExternalStore(
    never,
    () => window.location.origin,
    () => null,
  )
}
