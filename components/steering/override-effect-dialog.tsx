'use client'
/* Owns the before-and-after view of one override, over whatever page it was opened from: what moved, with intervals, and what that
   cannot show. Opened by the address, so that a link shows a colleague the same. Must never claim a cause. */
import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useState } from 'react'
import { useOverrideParam } from '@/components/charts/use-override-param'
import { CopyButton } from '@/components/ui/copy-button'
import { Dialog } from '@/components/ui/dialog'
import { Panel } from '@/components/ui/panel'
import { ErrorState, LoadingState } from '@/components/ui/panel-state'
import { Segmented } from '@/components/ui/segmented'
import { overrideEffectQuery } from '@/lib/client/steering'
import type { OverrideEffect } from '@/lib/contract/override-effect'
import { formatTime } from '@/lib/view/format'
import { effectLimits, effectTwin, effectVerdict } from '@/lib/view/override-effect-words'
import { holdsInWords } from '@/lib/view/steering-words'
import { AppliedValues } from './applied-values'
import { EffectCharts } from './effect-charts'
import { EffectTable } from './effect-table'

const STRETCHES = ['5', '10', '20', '40'] as const
type Stretch = (typeof STRETCHES)[number]

function EffectBody({
  run,
  effect,
  batches,
  onOpen,
}: {
  run: string
  effect: OverrideEffect
  batches: Stretch
  onOpen: (id: string) => void
}) {
  const api = `/runs/${run}/overrides/${effect.override.id}/effect?batches=${batches}`
  const { override, overlapping } = effect
  const { answer, context } = effectVerdict(effect)
  return (
    <>
      <p className="mt-1 text-12 text-ink-2">
        By {override.author}, {formatTime(override.at, '')}, from batch {override.from}, {holdsInWords(override)}
        {override.note !== null && `: "${override.note}"`}. Before: {override.before}; after: {override.after}.
      </p>
      <p className="mt-3 text-18 font-semibold" role="status">
        {answer}
      </p>
      <p className="text-ink-2">{context}</p>
      <Panel
        title="Before and after"
        sub="95 % intervals"
        twin={effectTwin(effect)}
        twinHeight={220}
        api={api}
        className="mt-3"
      >
        <EffectTable effect={effect} />
        <EffectCharts effect={effect} />
      </Panel>
      <div className="sheet">
        <Panel title="What this cannot show" span={7}>
          <ul className="grid gap-1 text-12 text-ink-2">
            {effectLimits(effect).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          {overlapping.length > 0 && (
            <p className="mt-2 flex flex-wrap gap-2">
              {[...new Map(overlapping.map((one) => [one.id, one])).values()].map((one) => (
                <button key={one.id} type="button" className="btn" data-size="small" onClick={() => onOpen(one.id)}>
                  Before and after {one.letter}
                </button>
              ))}
            </p>
          )}
        </Panel>
        <Panel title="Requested and applied" span={5}>
          <AppliedValues effect={effect} />
        </Panel>
      </div>
      <p className="flex flex-wrap items-center gap-3 text-12">
        <Link href={`/runs/${encodeURIComponent(run)}/steering?entry=${override.id}`}>In the history</Link>
        {effect.applied !== null && (
          <Link href={`/runs/${encodeURIComponent(run)}/batch?batch=${effect.applied.batch}`}>
            Batch {effect.applied.batch}, its first
          </Link>
        )}
        <span className="ml-auto">
          <CopyButton text={() => window.location.href} label="Copy the link to this view" />
        </span>
      </p>
    </>
  )
}

export function OverrideEffectDialog({ run }: { run: string }) {
  const [id, open] = useOverrideParam()
  const [stretch, setStretch] = useState<Stretch>('10')
  const { data, error, refetch } = useQuery({
    ...overrideEffectQuery(run, id ?? '', Number(stretch)),
    enabled: id !== null,
  })
  const effect = data?.override.id === id ? data : undefined
  return (
    <Dialog
      open={id !== null}
      wide
      title={effect === undefined ? 'Override' : `${effect.override.letter}: ${effect.override.sentence}`}
      onClose={() => open(null)}
    >
      <div className="absolute top-[10px] right-[10px] flex flex-row-reverse items-center gap-2 max-md:static max-md:my-2 max-md:justify-end">
        <button type="button" className="btn" data-size="small" onClick={() => open(null)}>
          Close
        </button>
        <Segmented<Stretch>
          label="Batches on each side"
          options={STRETCHES.map((value) => ({ value, label: value }))}
          value={stretch}
          onChange={setStretch}
        />
        <span className="hide-phone text-12 text-ink-3">batches on each side</span>
      </div>
      {effect === undefined && error === null && <LoadingState height={420} />}
      {effect === undefined && error !== null && (
        <ErrorState title="Could not compare" height={420} onRetry={() => void refetch()}>
          {error.message}
        </ErrorState>
      )}
      {effect !== undefined && <EffectBody run={run} effect={effect} batches={stretch} onOpen={open} />}
    </Dialog>
  )
}
