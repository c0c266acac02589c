'use client'
/* Owns the letters of overrides above the batch scrubber, each over the first batch it holds for. Knows columns, not what they show. */
import { joinMarkers } from './chart-series'
import { OverrideFlag } from './override-flag'
import { useOverrideMarkers } from './override-markers'

const MOST = 8
/** px that "A to C" takes, and a track's width that letters must fit in */
const WORD = 46
const TRACK = 480

/** `batches`: index of each column, ascending; `widest`: px a column takes at most. One more column is the next batch. */
export function ScrubberFlags({ run, batches, widest }: { run: string; batches: readonly number[]; widest: number }) {
  const { markers } = useOverrideMarkers(run)
  const columns = batches.length + 1
  const first = batches[0] ?? 1
  const last = (batches.at(-1) ?? 0) + 1
  const shown = markers.filter(({ x }) => x >= first && x <= last)
  const columnOf = (batch: number) => {
    const at = batches.findIndex((index) => index >= batch)
    return at === -1 ? columns - 1 : at
  }
  return (
    <div className="flag-row" style={{ maxWidth: columns * widest }}>
      {joinMarkers(shown, MOST, WORD / Math.min(widest, TRACK / columns)).map((joined) => (
        <OverrideFlag key={joined.word} joined={joined} left={(columnOf(joined.x) + 0.5) / columns} />
      ))}
    </div>
  )
}
