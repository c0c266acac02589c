'use client'
/* Owns the bar that stays in sight while there is a draft: what would change, why, and the batch it would hold from.
   Invariant: if the log moved since the preview, the new difference stands on the page before anything is written. */
import { useId } from 'react'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { formatCount } from '@/lib/view/format'

export interface ApplyBarProps {
  count: number
  sentences: readonly string[]
  batch: number
  note: string
  onNote: (note: string) => void
  /** why it cannot be applied now, or null */
  wait: string | null
  moved: boolean
  busy: boolean
  error: string | null
  onDiscard: () => void
  onApply: () => void
}

export function ApplyBar(props: ApplyBarProps) {
  const { count, sentences, batch, note, moved, busy, error, wait } = props
  const id = useId()
  const word = busy ? 'Applying' : moved ? `Apply this from batch ${batch}` : `Apply from batch ${batch}`
  return (
    <section className="apply-bar" aria-label="Draft">
      <Badge tone="draft">{formatCount(count, 'change')}</Badge>
      <span id={id} className="apply-sum text-12" role="status">
        {error !== null && <span className="text-bad">{error}</span>}
        {error === null && moved && (
          <span className="text-warn">The run moved on: the page shows the new difference.</span>
        )}
        {error === null && !moved && (
          <span className="hide-phone text-13" title={sentences.join('; ')}>
            {sentences.join('\u2003')}
          </span>
        )}
      </span>
      <span className="flex-1" />
      <input
        className="input apply-note w-[190px] shrink-0"
        placeholder="Why (kept in the history)"
        aria-label="Note"
        maxLength={500}
        value={note}
        onChange={(event) => props.onNote(event.target.value)}
      />
      <Button onClick={props.onDiscard} disabled={busy}>
        Discard
      </Button>
      <Button
        kind="primary"
        onClick={props.onApply}
        disabled={busy || wait !== null}
        title={wait ?? undefined}
        aria-describedby={id}
      >
        {word}
      </Button>
    </section>
  )
}
