'use client'
/* Owns the question before a pause: what becomes of open leases and for how long. The preview names its batch. */
import { useState } from 'react'
import { ChangePreview } from '@/components/steering/change-preview'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { NumberField } from '@/components/ui/number-field'
import { Segmented } from '@/components/ui/segmented'
import type { PreviewDraft } from '@/lib/contract/action'
import { formatCount } from '@/lib/view/format'

type Mode = 'hold' | 'drain'
type Lasts = 'open' | 'batches'

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
  const [lasts, setLasts] = useState<Lasts>('open')
  const [typed, setTyped] = useState<number | null>(10)
  const [note, setNote] = useState('')
  const batches = lasts === 'open' ? null : typed
  const whole = lasts === 'open' || (typed !== null && Number.isInteger(typed) && typed >= 1)
  const leases = leased === 1 ? '1 open lease' : formatCount(leased, 'open lease')
  return (
    <Dialog open={open} onClose={onClose} title={`Pause ${name}?`}>
      <p className="mt-[6px] mb-[10px] text-ink-2">
        It is not picked from the next batch on. What becomes of its {leases}:
      </p>
      <div className="mb-3 flex flex-col items-start gap-2">
        <Segmented
          label="What becomes of open leases"
          value={mode}
          onChange={setMode}
          options={[
            { value: 'hold', label: 'Hold' },
            { value: 'drain', label: 'Drain' },
          ]}
        />
        <dl className="grid min-w-0 grid-cols-[auto_1fr] gap-x-2 text-12 text-ink-2">
          <dt className="font-medium">Hold</dt>
          <dd>they may finish, and their rollouts count.</dd>
          <dt className="font-medium">Drain</dt>
          <dd>they end at once, with what has come back so far.</dd>
        </dl>
      </div>
      <div className="mb-3 flex min-h-[32px] flex-wrap items-center gap-2">
        <Segmented
          label="How long"
          value={lasts}
          onChange={setLasts}
          options={[
            { value: 'open', label: 'Until resumed' },
            { value: 'batches', label: 'For some batches' },
          ]}
        />
        {lasts === 'batches' && (
          <span className="flex items-center gap-2">
            <NumberField label="Batches" hideLabel width={52} decimals={0} min={1} value={typed} onChange={setTyped} />
            <span className="text-ink-2">batches</span>
          </span>
        )}
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
        change={whole ? { kind: 'pause', target, mode, batches } : null}
      />
      <div className="mt-2 flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" disabled={!whole} onClick={() => onPause(mode, batches, note)}>
          Pause
        </Button>
      </div>
    </Dialog>
  )
}
