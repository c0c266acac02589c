'use client'
/* Owns whether a run has ended, finished or failed: no batch is chosen any more. False while it is not known. */
import { useQuery } from '@tanstack/react-query'
import { runQuery } from '@/lib/client/run'

export function useOver(run: string): boolean {
  const status = useQuery(runQuery(run)).data?.status
  return status === 'finished' || status === 'failed'
}
