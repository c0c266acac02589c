'use client'
/* Owns why a control of Settings cannot be used: the scope that it needs beside the one that this browser has. */
import { useQuery } from '@tanstack/react-query'
import { serverQuery } from '@/lib/client/run'

/** `may` is false until the server has answered; `reason` is null while nothing stands in the way. */
export function useMayWrite(): { may: boolean; reason: string | null } {
  const { data } = useQuery(serverQuery())
  if (data === undefined) return { may: false, reason: null }
  if (data.scope === 'operate') return { may: true, reason: null }
  return {
    may: false,
    reason: `This needs a token with the scope operate; the token of ${data.signedInAs} has ${data.scope}.`,
  }
}

export function WriteReason({ reason }: { reason: string | null }) {
  if (reason === null) return null
  return <p className="mt-2 text-12 text-ink-3">{reason}</p>
}
