'use client'
/* Owns what opens under a row: why it is in trouble, its quota, pause and boost. What is typed stays while data refreshes. */
import { useState } from 'react'
import { useMayOperate } from '@/components/shell/use-may-operate'
import { ChangePreview } from '@/components/steering/change-preview'
import { Button } from '@/components/ui/button'
import { FieldError } from '@/components/ui/field-error'
import { NumberField } from '@/components/ui/number-field'
import type { EnvironmentRow } from '@/lib/contract/environment'
import { peakSentence } from '@/lib/view/environment-peak'
import { STATE_TONE, stateOf, stateSentence } from '@/lib/view/environment-words'
import { BoostDialog } from './boost-dialog'
import { PauseDialog } from './pause-dialog'
import { type SteerActions, useSteer } from './use-steer'

interface QuotaDraft {
  lower: number | null
  upper: number | null
}

function quotaFault({ lower, upper }: QuotaDraft): string | null {
  if (lower === null || upper === null) return 'Give both ends of the quota in per cent.'
  if (lower < 0 || upper > 100) return 'A quota lies between 0 and 100 %.'
  return lower > upper ? `The lower quota ${lower} % is over the upper one, ${upper} %.` : null
}

const per = (share: number) => Number((share * 100).toFixed(1))

function Why({ row }: { row: EnvironmentRow }) {
  const sentence = stateSentence(row)
  if (sentence === null) return <span className="text-ink-2">Inside its quota, nothing unusual.</span>
  return <span className={STATE_TONE[stateOf(row)] === 'bad' ? 'font-medium text-bad' : ''}>{sentence}</span>
}

export function EnvironmentControls({
  run,
  cursor,
  nextBatch,
  over,
  row,
  actions,
}: {
  run: string
  cursor: number
  nextBatch: number
  /** The run has ended: nothing is chosen any more. */
  over: boolean
  row: EnvironmentRow
  actions: SteerActions
}) {
  const { steer, busy, refusal } = useSteer(run, cursor, actions)
  const mayOperate = useMayOperate()
  const [draft, setDraft] = useState<QuotaDraft | null>(null)
  const [dialog, setDialog] = useState<'pause' | 'boost' | null>(null)
  const now = { lower: per(row.quota.lower), upper: per(row.quota.upper) }
  const shown = draft ?? now
  const changed = draft !== null && (draft.lower !== now.lower || draft.upper !== now.upper)
  const fault = draft === null ? null : quotaFault(draft)
  const off = busy === true || over === true || mayOperate === false
  const setQuota = () => {
    if (shown.lower === null || shown.upper === null) return
    steer({ kind: 'quota', target: row.id, lower: shown.lower / 100, upper: shown.upper / 100 }, '', () =>
      setDraft(null),
    )
  }
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-[18px] gap-y-[10px]">
        <span className="flex min-w-0 flex-[1_1_280px] flex-col">
          <Why row={row} />
          <span className="text-11 text-ink-2">{peakSentence(row)}</span>
        </span>
        <span className="ml-auto flex flex-wrap items-center gap-x-[18px] gap-y-[10px] max-sm:ml-0">
          <span className="flex flex-wrap items-center gap-2">
            <span className="text-ink-2">quota</span>
            <NumberField
              label={`Lower quota of ${row.name}, per cent`}
              hideLabel
              width={56}
              decimals={Number.isInteger(shown.lower) ? 0 : 1}
              step={1}
              min={0}
              max={100}
              value={shown.lower}
              changed={draft !== null && draft.lower !== now.lower}
              disabled={off}
              onChange={(lower) => setDraft({ ...shown, lower })}
            />
            <span className="text-ink-3">to</span>
            <NumberField
              label={`Upper quota of ${row.name}, per cent`}
              hideLabel
              width={56}
              decimals={Number.isInteger(shown.upper) ? 0 : 1}
              step={1}
              min={0}
              max={100}
              value={shown.upper}
              changed={draft !== null && draft.upper !== now.upper}
              disabled={off}
              onChange={(upper) => setDraft({ ...shown, upper })}
            />
            <span className="text-ink-3">%</span>
            {changed === true && (
              <Button kind="primary" disabled={off || fault !== null} onClick={setQuota}>
                Set from batch {nextBatch}
              </Button>
            )}
          </span>
          {row.paused === null ? (
            <Button icon="pause" disabled={off} onClick={() => setDialog('pause')}>
              Pause
            </Button>
          ) : (
            <Button icon="play" disabled={off} onClick={() => steer({ kind: 'resume', target: row.id })}>
              Resume
              {row.paused.batchesLeft !== null && `, else in ${row.paused.batchesLeft} batches`}
            </Button>
          )}
          {row.boost === 1 ? (
            <Button icon="boost" disabled={off} onClick={() => setDialog('boost')}>
              Boost
            </Button>
          ) : (
            <Button
              icon="undo"
              disabled={off}
              onClick={() => steer({ kind: 'boost', target: row.id, factor: 1, batches: null })}
            >
              End boost of {row.boost}
            </Button>
          )}
        </span>
      </div>
      {changed === true && fault === null && shown.lower !== null && shown.upper !== null && (
        <ChangePreview
          run={run}
          nextBatch={nextBatch}
          ask={actions.preview}
          change={{ kind: 'quota', target: row.id, lower: shown.lower / 100, upper: shown.upper / 100 }}
        />
      )}
      <FieldError>{fault ?? refusal}</FieldError>
      {over === true && <p className="text-12 text-ink-3">The run has ended: nothing is chosen any more.</p>}
      {mayOperate === false && (
        <p className="text-12 text-ink-3">Your token may look, not steer. Steering needs the scope operate.</p>
      )}
      <PauseDialog
        run={run}
        target={row.id}
        preview={actions.preview}
        open={dialog === 'pause'}
        name={row.name}
        leased={row.leased}
        nextBatch={nextBatch}
        onClose={() => setDialog(null)}
        onPause={(mode, batches, note) => {
          setDialog(null)
          steer({ kind: 'pause', target: row.id, mode, batches }, note)
        }}
      />
      <BoostDialog
        run={run}
        target={row.id}
        preview={actions.preview}
        open={dialog === 'boost'}
        name={row.name}
        nextBatch={nextBatch}
        onClose={() => setDialog(null)}
        onBoost={(factor, batches, note) => {
          setDialog(null)
          steer({ kind: 'boost', target: row.id, factor, batches }, note)
        }}
      />
    </>
  )
}
