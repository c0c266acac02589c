'use client'
/* Owns the Steering page: a draft beside what is in force, its preview, the bar that applies it, the history.
   Must never write but by the actions it was handed. Invariant: until it is applied a draft changes nothing but this page. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAddress } from '@/components/shell/use-address'
import { useMayOperate } from '@/components/shell/use-may-operate'
import { useOver } from '@/components/shell/use-over'
import { ErrorState, LoadingState } from '@/components/ui/panel-state'
import { Guarded, Sheet } from '@/components/ui/sheet'
import { Verdict } from '@/components/ui/verdict'
import { steeringQuery } from '@/lib/client/steering'
import type { ApplyDraft, PreviewDraft, UndoOverride } from '@/lib/contract/action'
import type { OverrideInput, Preview, Steering } from '@/lib/contract/steering'
import { askedSentence, workedBatch } from '@/lib/view/steering-asked'
import {
  changeKey,
  encodeDraft,
  isNoChange,
  isSetting,
  pruneDraft,
  settingsEnd,
  withChange,
  withoutKey,
  withSettingsEnd,
} from '@/lib/view/steering-draft'
import { steeredSince } from '@/lib/view/steering-since'
import { changeInWords, endedVerdict, previewVerdict, restingVerdict } from '@/lib/view/steering-words'
import { AppliedPanel } from './applied-panel'
import { ApplyBar } from './apply-bar'
import { AsideNote } from './aside-note'
import { EnvironmentShifts } from './environment-shifts'
import { ExpectedPanel } from './expected-panel'
import { HistoryPanel } from './history-panel'
import { PreviewPanel } from './preview-panel'
import { QuotasPanel } from './quotas-panel'
import type { Refusal } from './refused'
import { SinceNote } from './since-note'
import { TargetsPanel } from './targets-panel'
import { type Applied, useApply } from './use-apply'
import { useDraft, useDraftNote } from './use-draft'
import { useNames } from './use-names'
import { type PreviewState, usePreview } from './use-preview'
import { WeightsPanel } from './weights-panel'

export interface SteeringActions {
  preview: PreviewDraft
  apply: ApplyDraft
  undo: UndoOverride
}

/** Refused changes by their key, as long as the draft still has them as they were. */
function refusalsOf(
  state: PreviewState,
  draft: readonly OverrideInput[],
  words: (change: OverrideInput) => string,
  take: (change: OverrideInput) => void,
): Map<string, Refusal> {
  const refused = new Map<string, Refusal>()
  const now = new Map(draft.map((change) => [changeKey(change), JSON.stringify(change)]))
  for (const { index, message, nearest } of state.kept?.preview.refused ?? []) {
    const change = state.kept?.changes[index]
    if (change === undefined || now.get(changeKey(change)) !== JSON.stringify(change)) continue
    const offer = nearest === null ? null : { words: words(nearest), take: () => take(nearest) }
    refused.set(changeKey(change), { message, nearest: offer })
  }
  return refused
}

function verdictOf(
  now: Steering,
  draft: readonly OverrideInput[],
  accepted: number,
  preview: Preview | null,
  failed: boolean,
  applied: Applied | null,
) {
  if (draft.length > 0 && preview !== null) return previewVerdict(preview, accepted)
  if (draft.length > 0) {
    const answer = `Your draft is not applied: batch ${now.nextBatch} is chosen without it.`
    return { answer, context: failed ? 'Its preview could not be made.' : 'Its preview is being made.' }
  }
  if (applied !== null) {
    return { answer: `Applied: it holds from batch ${applied.fromBatch}.`, context: `${applied.sentences.join('; ')}.` }
  }
  return restingVerdict(now)
}

const OVER = 'The run has ended: no batch is chosen any more, so nothing can be steered.'
const VIEW_ONLY = 'Your token may look, not steer. Steering needs the scope operate.'

function waitOf(accepted: number, state: PreviewState, off: string | null): string | null {
  if (off !== null) return off
  if (accepted === 0) return 'Every change is refused; correct one first.'
  if (state.kept === null || !state.fresh) return 'The preview comes first.'
  return null
}

/** The newest override when this draft was begun here: what is newer was set by others meanwhile. */
function useSeen(newest: number, drafting: boolean): number {
  const [seen, setSeen] = useState(newest)
  if (!drafting && seen !== newest) setSeen(newest)
  return seen
}

function SteeringSheet({ run, now, actions }: { run: string; now: Steering; actions: SteeringActions }) {
  const { draft: written, set: setDraft, aside } = useDraft(run)
  const draft = pruneDraft(written, now)
  const newest = Math.max(0, ...now.history.map(({ number }) => number))
  const seen = useSeen(newest, draft.length > 0)
  const state = usePreview(run, encodeDraft(draft), now.nextBatch, newest, actions.preview)
  const [address] = useAddress()
  const wanted = address.get('for')
  const { nameOf, targetOf } = useNames(run, now, draft, wanted)
  const writing = useApply(run, actions.apply, actions.undo)
  const [note, setNote] = useDraftNote(run)
  const mayOperate = useMayOperate()
  const over = useOver(run)
  const off = over ? OVER : mayOperate === false ? VIEW_ONLY : null

  const edit = (next: readonly OverrideInput[]) => {
    writing.forget()
    setDraft(pruneDraft(next, now))
  }
  // A setting takes the end that the draft's settings have.
  const change = (one: OverrideInput) => {
    const end = settingsEnd(draft)
    const ended = isSetting(one) && end !== null && one.batches === undefined ? { ...one, batches: end } : one
    edit(withChange(draft, ended))
  }
  const offer = (one: OverrideInput) =>
    isNoChange(one, now) ? 'Keep it as it is' : `Use ${changeInWords(one, now, nameOf)}`
  const refusals = refusalsOf(state, draft, offer, change)
  const accepted = draft.filter((change) => !refusals.has(changeKey(change)))
  const sentences = accepted.map((change) => changeInWords(change, now, nameOf))
  const preview = draft.length === 0 ? null : (state.kept?.preview ?? null)
  const asked =
    preview === null || wanted === null
      ? null
      : askedSentence(preview, wanted, nameOf(wanted), workedBatch(address.get('worked')))
  const { answer, context } = over
    ? endedVerdict(draft.length)
    : verdictOf(now, draft, accepted.length, preview, state.error !== null, writing.applied)
  const apply = async () => {
    const done = await writing.send(accepted, note, sentences, state)
    if (!done) return
    setNote('')
    // What was refused stays in the draft: nothing that a person wrote is lost.
    setDraft(draft.filter((change) => refusals.has(changeKey(change))))
  }

  return (
    <>
      <Verdict context={context}>{answer}</Verdict>
      {aside !== null && <AsideNote count={aside.changes.length} onRestore={aside.restore} onDrop={aside.drop} />}
      <Sheet>
        <div className="col-span-5 min-w-0 max-[1000px]:col-span-12">
          <Guarded>
            <WeightsPanel now={now} draft={draft} refusals={refusals} onChange={change} onReset={() => edit([])} />
            <QuotasPanel now={now} draft={draft} refusals={refusals} onChange={change} />
            <TargetsPanel
              run={run}
              now={now}
              draft={draft}
              refusals={refusals}
              targetOf={targetOf}
              onChange={change}
              onRemove={(key) => edit(withoutKey(draft, key))}
            />
          </Guarded>
        </div>
        <div className="col-span-7 min-w-0 max-[1000px]:col-span-12">
          <Guarded>
            {draft.length > 0 && <SinceNote moved={writing.moved} steered={steeredSince(now.history, seen, draft)} />}
            {writing.applied !== null && (
              <AppliedPanel
                run={run}
                ids={writing.applied.ids}
                fromBatch={writing.applied.fromBatch}
                onClose={writing.forget}
              />
            )}
            <PreviewPanel run={run} now={now} state={state} asked={asked} />
            {preview !== null && <ExpectedPanel preview={preview} />}
            {preview !== null && <EnvironmentShifts preview={preview} />}
          </Guarded>
        </div>
        <div className="col-span-12 min-w-0">
          <Guarded>
            <HistoryPanel
              run={run}
              history={now.history}
              nextBatch={now.nextBatch}
              off={off}
              onUndo={writing.undoEntry}
            />
          </Guarded>
        </div>
      </Sheet>
      {draft.length > 0 && (
        <ApplyBar
          count={accepted.length}
          sentences={sentences}
          batch={preview?.batch ?? now.nextBatch}
          note={note}
          onNote={setNote}
          settingsEnd={draft.some(isSetting) ? settingsEnd(draft) : undefined}
          onSettingsEnd={(batches) => edit(withSettingsEnd(draft, batches))}
          wait={waitOf(accepted.length, state, off)}
          moved={writing.moved !== null}
          busy={writing.busy}
          error={writing.error}
          onDiscard={() => edit([])}
          onApply={() => void apply()}
        />
      )}
    </>
  )
}

export function SteeringPage({ run, actions }: { run: string; actions: SteeringActions }) {
  const { data, error, refetch } = useQuery(steeringQuery(run))
  if (error !== null && data === undefined) {
    return (
      <ErrorState title="Could not load the steering of this run" height={320} onRetry={() => void refetch()}>
        {error.message}
      </ErrorState>
    )
  }
  if (data === undefined) return <LoadingState height={420} />
  return <SteeringSheet key={run} run={run} now={data} actions={actions} />
}
