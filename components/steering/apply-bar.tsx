'use client'
/* Owns the bar that stays in sight while there is a draft: what would change, why, for how long, and the batch it would hold from.
   Invariant: if the log moved since the preview, the new difference stands on the page before anything is written. */
import { useId } from 'react'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { NumberField } from '@/components/ui/number-field'
import { formatCount } from '@/lib/view/format'

export interface ApplyBarProps {
  count: number
  sentences: readonly string[]
  batch: number
  note: string
  onNote: (note: string) => void
  /** batches that weights and quotas of the draft are given; undefined = it has none, null = until lifted */
  settingsEnd: number | null | undefined
  onSettingsEnd: (batches: number | null) => void
  /** why it cannot be applied now, or null */
  wait: string | null
  moved: boolean
  busy: boolean
  error: string | null
  onDiscard: () => void
  onApply: () => void
}

function SettingsEnd({ value, onChange }: { value: number | null; onChange: (batches: number | null) => void }) {
  return (
    <span
      className="inline-flex items-center gap-[6px] text-12 text-ink-2 max-sm:hidden"
      title="How long weights, shares and quotas of this draft hold; then what held before holds again. Pins, bans, boosts and pauses have their own."
    >
      for
      <NumberField
        label="Batches that settings hold, empty until lifted"
        hideLabel
        value={value}
        decimals={0}
        min={1}
        step={1}
        width={48}
        onChange={(next) => onChange(next === null || next < 1 ? null : Math.min(100_000, Math.round(next)))}
      />
      <span className="w-[84px]">{value === null ? 'until lifted' : value === 1 ? 'batch' : 'batches'}</span>
    </span>
  )
}

export function ApplyBar(props: ApplyBarProps) {
  const { count, sentences, batch, note, moved, busy, error, wait, settingsEnd } = props
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
      {settingsEnd !== undefined && <SettingsEnd value={settingsEnd} onChange={props.onSettingsEnd} />}
      <input
        className="input apply-note w-[190px] shrink-0"
        placeholder="Why (kept in the history)"
        aria-label="Note"
        maxLength={500}
        value={note}
        onChange={(event) => props.onNote(event.target.value)}
      />
      <span className="hide-phone">
        <CopyButton text={() => window.location.href} label="Copy link" />
      </span>
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
