'use client'
/* Owns the form that adds a pause, pin, ban or boost to the draft: what, whom, how long in batches. */
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { NumberField } from '@/components/ui/number-field'
import { Segmented } from '@/components/ui/segmented'
import type { OverrideInput } from '@/lib/contract/steering'
import type { EnvironmentRef } from '@/lib/contract/task-set'
import { type Found, TargetSearch } from './target-search'

type Kind = 'pause' | 'pin' | 'ban' | 'boost'

const MEANS: Record<Kind, string> = {
  pause: 'No pick of the environment. Hold keeps its leases, drain gives them back.',
  pin: 'In every batch, before scores and quotas, while its lease allows.',
  ban: 'In no batch, before everything else.',
  boost: 'Multiplies the exploitation, 0 to 4; 1 changes nothing.',
}

export function AddOverride({
  run,
  environments,
  onAdd,
  onClose,
}: {
  run: string
  environments: readonly EnvironmentRef[]
  onAdd: (change: OverrideInput) => void
  onClose: () => void
}) {
  const [kind, setKind] = useState<Kind>('pause')
  const [mode, setMode] = useState<'hold' | 'drain'>('hold')
  const [factor, setFactor] = useState<number | null>(2)
  const [batches, setBatches] = useState<number | null>(10)
  const lasting = batches === null ? null : Math.max(1, Math.round(batches))
  const add = (found: Found) => {
    const target = found.kind === 'task' ? found.task.id : found.environment.id
    if (kind === 'pause') onAdd({ kind, target, mode, batches: lasting })
    else if (kind === 'boost') onAdd({ kind, target, factor: Math.min(4, Math.max(0, factor ?? 1)), batches: lasting })
    else onAdd({ kind, target, batches: lasting })
    onClose()
  }
  return (
    <div className="inset mb-2 grid gap-[10px] p-3">
      <div className="flex flex-wrap items-center gap-2">
        <Segmented<Kind>
          label="What"
          options={(['pause', 'pin', 'ban', 'boost'] as const).map((value) => ({ value, label: value }))}
          value={kind}
          onChange={setKind}
        />
        {kind === 'pause' && (
          <Segmented<'hold' | 'drain'>
            label="How"
            options={[
              { value: 'hold', label: 'hold' },
              { value: 'drain', label: 'drain' },
            ]}
            value={mode}
            onChange={setMode}
          />
        )}
        {kind === 'boost' && (
          <span className="inline-flex items-center gap-[6px]">
            <NumberField label="Factor" hideLabel value={factor} min={0} max={4} step={0.25} onChange={setFactor} />
            <span className="text-12 text-ink-2">times</span>
          </span>
        )}
        <span className="inline-flex items-center gap-[6px]">
          <span className="text-12 text-ink-2">for</span>
          <NumberField
            label="Batches until it expires, empty for none"
            hideLabel
            value={batches}
            decimals={0}
            min={1}
            step={1}
            width={56}
            onChange={setBatches}
          />
          <span className="text-12 text-ink-2">{lasting === null ? 'batches: until lifted' : 'batches'}</span>
        </span>
      </div>
      <div className="flex items-center gap-2">
        <div className="min-w-0 flex-1">
          <TargetSearch
            run={run}
            environments={kind === 'pause' || kind === 'boost' ? environments : []}
            tasks={kind !== 'pause'}
            label={kind === 'pause' ? 'Environment' : kind === 'boost' ? 'Task or environment' : 'Task'}
            placeholder={kind === 'pause' ? 'Environment to pause' : `Task to ${kind}, by key or text`}
            onFound={add}
          />
        </div>
        <Button size="small" kind="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
      <p className="text-12 text-ink-3">{MEANS[kind]}</p>
    </div>
  )
}
