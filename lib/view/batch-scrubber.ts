/**
 * Owns the columns of the scrubber: informative share by batch, oldest first, a window that holds the shown batch.
 * Invariant: a batch without a complete trusted group has share null and is drawn as "not yet", never as 0.
 */
import type { BatchSummary } from '@/lib/contract/batch'
import type { RestorePoint } from '@/lib/contract/state'
import { formatNumber } from './format'
import { supersededWords } from './restore-words'

export interface ScrubberColumn {
  index: number
  share: number | null
  label: string
  /** a restore left it behind: drawn fainter, and told */
  superseded: boolean
}

/** At most `limit` columns; the window ends at the newest batch unless `current` lies before it. */
export function scrubberColumns(
  batches: readonly BatchSummary[],
  current: number | null,
  limit: number,
  restores: readonly RestorePoint[] = [],
): ScrubberColumn[] {
  const ordered = [...batches].sort((a, b) => a.index - b.index)
  const at = current === null ? -1 : ordered.findIndex(({ index }) => index === current)
  const newestStart = Math.max(0, ordered.length - limit)
  const start = at === -1 || at >= newestStart ? newestStart : Math.max(0, at - Math.floor(limit / 2))
  return ordered.slice(start, start + limit).map((batch) => ({
    index: batch.index,
    share: batch.informativeShare,
    label: batch.superseded ? `${columnLabel(batch)}, ${supersededWords(restores, batch.index)}` : columnLabel(batch),
    superseded: batch.superseded,
  }))
}

function columnLabel(batch: BatchSummary): string {
  const back = batch.back < batch.picks ? `, ${batch.back} of ${batch.picks} back` : ''
  if (batch.informativeShare === null) return `Batch ${batch.index}: no group yet${back}`
  return `Batch ${batch.index}: ${formatNumber('share', batch.informativeShare, 'no group yet')} informative${back}`
}
