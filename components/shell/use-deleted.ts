'use client'
/* Owns whether the run of this page was deleted, here or in another tab: the server's sentence of who did it, else null. */
import { useQuery } from '@tanstack/react-query'
import { changesQuery } from '@/lib/client/change'
import { deletedReason } from '@/lib/client/request'
import { runQuery } from '@/lib/client/run'

export function useDeleted(run: string): string | null {
  const { error } = useQuery(runQuery(run))
  const live = useQuery(changesQuery(run))
  return deletedReason(live.error) ?? deletedReason(error)
}
