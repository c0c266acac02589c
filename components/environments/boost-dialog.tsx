'use client'
/* Owns the question before a boost: by how much, for how long. */
import { useState } from 'react'
import { ChangePreview } from '@/components/steering/change-preview'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { NumberField } from '@/components/ui/number-field'
import type { PreviewDraft } from '@/lib/contract/action'

export function BoostDialog({
  run,
  target,
  preview,
  open,
  name,
  nextBatch,
  onClose,
  onBoost,
}: {
  run: string
  /** server id of the environment */
  target: string
  preview: PreviewDraft
  open: boolean
  name: string
  nextBatch: number
  onClose: () => void
  onBoost: (factor: number, batches: number | null, note: string) => void
}) {
  const [factor, setFactor] = useState<number | null>(1.5)
  const [batches, setBatches] = useState<number | null>(10)
  const [note, setNote] = useState('')
  const valid =
    factor !== null && factor >= 0 && factor <= 4 && (batches === null || (Number.isInteger(batches) && batches >= 1))
  return (
    <Dialog open={open} onClose={onClose} title={`Boost ${name}?`}>
      <p className="mt-[6px] mb-[10px] text-ink-2">
        Multiplies the score of all its tasks. Quotas still hold; under 1 it damps.
      </p>
      <div className="mb-3 flex items-center gap-2">
        <span className="text-ink-2">times</span>
        <NumberField
          label="Factor, 0 to 4"
          hideLabel
          width={56}
          decimals={2}
          step={0.1}
          min={0}
          max={4}
          value={factor}
          onChange={setFactor}
        />
        <span className="text-ink-2">for</span>
        <NumberField
          label="Batches, empty until lifted"
          hideLabel
          width={52}
          decimals={0}
          min={1}
          value={batches}
          onChange={setBatches}
        />
        <span className="text-ink-2">{batches === null ? 'batches: until lifted' : 'batches'}</span>
      </div>
      <input
        className="input mb-3 w-full"
        aria-label="Why"
        placeholder="Why (kept in the history)"
        maxLength={500}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      <ChangePreview
        run={run}
        nextBatch={nextBatch}
        ask={preview}
        change={factor !== null && valid ? { kind: 'boost', target, factor, batches } : null}
      />
      <div className="mt-2 flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          kind="primary"
          disabled={!valid}
          onClick={() => {
            if (factor !== null) onBoost(factor, batches, note)
          }}
        >
          Boost
        </Button>
      </div>
    </Dialog>
  )
}
