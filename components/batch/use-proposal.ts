'use client'
/* Owns the proposal of the next batch: asked of the server when it is shown, again when a newer batch was issued. Writes nothing. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ProposeNext } from '@/lib/contract/action'
import type { ProposedBatch } from '@/lib/contract/batch'

export function useProposal(
  run: string,
  propose: ProposeNext,
  newest: number,
  shown: boolean,
): UseQueryResult<ProposedBatch> {
  return useQuery({
    // Outside ['run', id]: each report would choose the whole batch again.
    queryKey: ['proposal', run, newest],
    queryFn: async () => {
      const answer = await propose(run, null)
      if (!answer.ok) throw new Error(answer.message)
      return answer.value
    },
    enabled: shown,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
}
