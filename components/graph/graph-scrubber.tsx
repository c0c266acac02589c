'use client'
/* Owns choosing the batch that the graph is shown as of. Invariant: the newest batch is "now", and leaves the address. */
import { useQuery } from '@tanstack/react-query'
import { BatchScrubber } from '@/components/batch/batch-scrubber'
import { batchesQuery } from '@/lib/client/batch'

export function GraphScrubber({
  run,
  batch,
  onBatch,
}: {
  run: string
  /** null = now */
  batch: number | null
  onBatch: (batch: number | null) => void
}) {
  const batches = (useQuery(batchesQuery(run)).data?.items ?? []).filter(({ superseded }) => !superseded)
  const newest = Math.max(0, ...batches.map(({ index }) => index))
  // the row keeps its height before the batches are there
  if (newest === 0) return <div className="-mt-1 mb-3 h-8" />
  return (
    <BatchScrubber
      run={run}
      batches={batches}
      newest={newest}
      shown={batch ?? newest}
      withNext={false}
      onShow={(shown) => onBatch(typeof shown === 'number' && shown !== newest ? shown : null)}
    />
  )
}
