'use client'
/* Owns the question before a pause: what becomes of open leases, for how long, from which batch. */
import { useState } from 'react'
import { ChangePreview } from '@/components/steering/change-preview'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { NumberField } from '@/components/ui/number-field'
import { Segmented } from '@/components/ui/segmented'
import type { PreviewDraft } from '@/lib/contract/action'
import { formatCount } from '@/lib/view/format'

type Mode = 'hold' | 'drain'

export function PauseDialog({
  run,
  target,
  preview,
  open,
  name,
  leased,
  nextBatch,
  onClose,
  onPause,
}: {
  run: string
  /** server id of the environment */
  target: string
  preview: PreviewDraft
  open: boolean
  name: string
  leased: number
  nextBatch: number
  onClose: () => void
  onPause: (mode: Mode, batches: number | null, note: string) => void
}) {
  const [mode, setMode] = useState<Mode>('hold')
  const [batches, setBatches] = useState<number | null>(10)
  const [note, setNote] = useState('')
  const whole = batches === null || (Number.isInteger(batches) && batches >= 1)
  const leases = leased === 1 ? '1 open lease' : formatCount(leased, 'open lease')
  return (
    <Dialog open={open} onClose={onClose} title={`Pause ${name} from batch ${nextBatch}?`}>
      <p className="mt-[6px] mb-[10px] text-ink-2">
        {mode === 'hold' ? `No new picks; ${leases} may finish.` : `No new picks; ${leases} are released at once.`}
      </p>
      <div className="mb-3 flex items-center gap-2">
        <Segmented
          label="What becomes of open leases"
          value={mode}
          onChange={setMode}
          options={[
            { value: 'hold', label: 'Hold' },
            { value: 'drain', label: 'Drain' },
          ]}
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
      <ChangePreview run={run} ask={preview} change={whole ? { kind: 'pause', target, mode, batches } : null} />
      <div className="mt-2 flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" disabled={!whole} onClick={() => onPause(mode, batches, note)}>
          Pause
        </Button>
      </div>
    </Dialog>
  )
}
