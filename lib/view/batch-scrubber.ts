/**
 * Owns the columns of the scrubber: informative share by batch, oldest first, a window that holds the shown batch.
 * Invariant: a batch without a complete trusted group has share null and is drawn as "not yet", never as 0.
 */
import type { BatchSummary } from '@/lib/contract/batch'
import { formatNumber } from './format'

export interface ScrubberColumn {
  index: number
  share: number | null
  label: string
}

/** At most `limit` columns; the window ends at the newest batch unless `current` lies before it. */
export function scrubberColumns(
  batches: readonly BatchSummary[],
  current: number | null,
  limit: number,
): ScrubberColumn[] {
  const ordered = batches.filter(({ superseded }) => !superseded).sort((a, b) => a.index - b.index)
  const at = current === null ? -1 : ordered.findIndex(({ index }) => index === current)
  const newestStart = Math.max(0, ordered.length - limit)
  const start = at === -1 || at >= newestStart ? newestStart : Math.max(0, at - Math.floor(limit / 2))
  return ordered.slice(start, start + limit).map((batch) => ({
    index: batch.index,
    share: batch.informativeShare,
    label: columnLabel(batch),
  }))
}

function columnLabel(batch: BatchSummary): string {
  const back = batch.back < batch.picks ? `, ${batch.back} of ${batch.picks} back` : ''
  if (batch.informativeShare === null) return `Batch ${batch.index}: no group yet${back}`
  return `Batch ${batch.index}: ${formatNumber('share', batch.informativeShare, 'no group yet')} informative${back}`
}
