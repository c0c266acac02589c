'use client'
/* Owns the Steering page: a draft beside what is in force, its preview, the bar that applies it, the history.
   Must never write but by the actions it was handed. Invariant: until it is applied a draft changes nothing but this page. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorState, LoadingState } from '@/components/ui/panel-state'
import { Verdict } from '@/components/ui/verdict'
import { steeringQuery } from '@/lib/client/steering'
import type { ApplyDraft, PreviewDraft, UndoOverride } from '@/lib/contract/action'
import type { OverrideInput, Preview, Steering } from '@/lib/contract/steering'
import { changeKey, encodeDraft, pruneDraft, withChange, withoutKey } from '@/lib/view/steering-draft'
import { changeInWords, previewVerdict, restingVerdict } from '@/lib/view/steering-words'
import { ApplyBar } from './apply-bar'
import { EnvironmentShifts } from './environment-shifts'
import { HistoryPanel } from './history-panel'
import { PreviewPanel } from './preview-panel'
import { QuotasPanel } from './quotas-panel'
import { TargetsPanel } from './targets-panel'
import { type Applied, useApply } from './use-apply'
import { useDraft } from './use-draft'
import { useNames } from './use-names'
import { type PreviewState, usePreview } from './use-preview'
import { WeightsPanel } from './weights-panel'

export interface SteeringActions {
  preview: PreviewDraft
  apply: ApplyDraft
  undo: UndoOverride
}

/** Sentences of refused changes by their key, as long as the draft still has them as they were. */
function refusalsOf(state: PreviewState, draft: readonly OverrideInput[]): Map<string, string> {
  const refused = new Map<string, string>()
  const now = new Map(draft.map((change) => [changeKey(change), JSON.stringify(change)]))
  for (const { index, message } of state.kept?.preview.refused ?? []) {
    const change = state.kept?.changes[index]
    if (change !== undefined && now.get(changeKey(change)) === JSON.stringify(change)) {
      refused.set(changeKey(change), message)
    }
  }
  return refused
}

function verdictOf(now: Steering, draft: readonly OverrideInput[], preview: Preview | null, applied: Applied | null) {
  if (draft.length > 0 && preview !== null) return previewVerdict(preview)
  if (draft.length > 0) {
    const answer = `Your draft is not applied: batch ${now.nextBatch} is chosen without it.`
    return { answer, context: 'Its preview is being made.' }
  }
  if (applied !== null) {
    return { answer: `Applied: it holds from batch ${applied.fromBatch}.`, context: `${applied.sentences.join('; ')}.` }
  }
  return restingVerdict(now)
}

function waitOf(accepted: number, state: PreviewState): string | null {
  if (accepted === 0) return 'Every change is refused; correct one first.'
  if (state.kept === null || !state.fresh) return 'The preview comes first.'
  return null
}

function SteeringSheet({ run, now, actions }: { run: string; now: Steering; actions: SteeringActions }) {
  const [written, setDraft] = useDraft(run)
  const draft = pruneDraft(written, now)
  const state = usePreview(run, encodeDraft(draft), now.nextBatch, actions.preview)
  const { nameOf, targetOf } = useNames(run, now, draft)
  const writing = useApply(run, actions.apply, actions.undo)
  const [note, setNote] = useState('')
  const refusals = refusalsOf(state, draft)
  const accepted = draft.filter((change) => !refusals.has(changeKey(change)))
  const sentences = accepted.map((change) => changeInWords(change, now, nameOf))
  const preview = draft.length === 0 ? null : (state.kept?.preview ?? null)
  const { answer, context } = verdictOf(now, draft, preview, writing.applied)

  const edit = (next: readonly OverrideInput[]) => {
    writing.forget()
    setDraft(pruneDraft(next, now))
  }
  const change = (one: OverrideInput) => edit(withChange(draft, one))
  const apply = async () => {
    const done = await writing.send(accepted, note, sentences, state)
    if (!done) return
    setNote('')
    // What was refused goes with it: it was said to be kept as it is.
    setDraft([])
  }

  return (
    <>
      <Verdict context={context}>{answer}</Verdict>
      <div className="sheet">
        <div className="col-span-5 min-w-0">
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
        </div>
        <div className="col-span-7 min-w-0">
          <PreviewPanel run={run} batch={now.nextBatch} state={state} />
          {preview !== null && <EnvironmentShifts preview={preview} />}
          <HistoryPanel run={run} history={now.history} nextBatch={now.nextBatch} onUndo={writing.undoEntry} />
        </div>
      </div>
      {draft.length > 0 && (
        <ApplyBar
          count={accepted.length}
          sentences={sentences}
          batch={preview?.batch ?? now.nextBatch}
          note={note}
          onNote={setNote}
          wait={waitOf(accepted.length, state)}
          moved={writing.moved}
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
