'use client'
/* Owns the question before a boost: by how much, for how long. */
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { NumberField } from '@/components/ui/number-field'

export function BoostDialog({
  open,
  name,
  nextBatch,
  onClose,
  onBoost,
}: {
  open: boolean
  name: string
  nextBatch: number
  onClose: () => void
  onBoost: (factor: number, batches: number | null) => void
}) {
  const [factor, setFactor] = useState<number | null>(1.5)
  const [batches, setBatches] = useState<number | null>(10)
  const valid =
    factor !== null && factor >= 0 && factor <= 4 && batches !== null && Number.isInteger(batches) && batches >= 1
  return (
    <Dialog open={open} onClose={onClose} title={`Boost ${name} from batch ${nextBatch}?`}>
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
        <NumberField label="Batches" hideLabel width={52} decimals={0} min={1} value={batches} onChange={setBatches} />
        <span className="text-ink-2">batches</span>
      </div>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          kind="primary"
          disabled={!valid}
          onClick={() => {
            if (factor !== null) onBoost(factor, batches)
          }}
        >
          Boost
        </Button>
      </div>
    </Dialog>
  )
}
