'use client'
/* Owns the pins, bans, boosts and pauses: those of the draft in accent, then those in force, which can be taken out by the draft. */
import { useState } from 'react'
import { IconButton } from '@/components/ui/button'
import { EnvTag } from '@/components/ui/env-tag'
import { Icon, type IconName } from '@/components/ui/icon'
import { Panel } from '@/components/ui/panel'
import type { Override, OverrideInput, Steering } from '@/lib/contract/steering'
import { formatCount, formatFixed } from '@/lib/view/format'
import { changeKey } from '@/lib/view/steering-draft'
import { AddOverride } from './add-override'
import { type Refusal, Refused } from './refused'
import type { Target } from './use-names'

type TargetChange = Extract<OverrideInput, { kind: 'pause' | 'resume' | 'pin' | 'ban' | 'boost' }>

const ICONS: Record<TargetChange['kind'], IconName> = {
  pause: 'pause',
  resume: 'play',
  pin: 'pin',
  ban: 'ban',
  boost: 'boost',
}

function isTarget(change: OverrideInput): change is TargetChange {
  return change.kind in ICONS
}

function Kind({ kind, accent = false }: { kind: TargetChange['kind']; accent?: boolean }) {
  return (
    <span className="flex items-center gap-[6px]">
      <Icon name={ICONS[kind]} className={accent === true ? 'text-accent-text' : ''} />
      {kind}
    </span>
  )
}

function detail(change: TargetChange): string {
  if (change.kind === 'pause') return `, ${change.mode}`
  return change.kind === 'boost' ? `, ${formatFixed(change.factor, 2)} times` : ''
}

function lasting(change: TargetChange, from: number): string {
  if (change.kind === 'resume') return `from batch ${from}`
  if (change.batches === null) return 'until lifted'
  return `${formatCount(change.batches, 'batch', 'batches')}, to ${from + change.batches}`
}

function DraftRow({
  change,
  target,
  from,
  onRemove,
}: {
  change: TargetChange
  target: Target
  from: number
  onRemove: () => void
}) {
  const name = target.task?.key ?? target.environment?.name ?? change.target
  return (
    <tr data-changed="">
      <td className="w-[74px]">
        <Kind kind={change.kind} accent />
      </td>
      <td>
        {target.environment !== null && <EnvTag environment={target.environment} />}{' '}
        <span className="text-ink-2">
          {name}
          {detail(change)}
        </span>
      </td>
      <td className="num text-ink-2">{lasting(change, from)}</td>
      <td className="num w-[28px]">
        <IconButton
          icon="close"
          size="small"
          kind="quiet"
          label={`Take ${change.kind} of ${name} out of the draft`}
          onClick={onRemove}
        />
      </td>
    </tr>
  )
}

function ForceRow({ entry, lifted, onToggle }: { entry: Override; lifted: boolean; onToggle: () => void }) {
  const kind = entry.kind in ICONS ? (entry.kind as TargetChange['kind']) : 'boost'
  const name = entry.task?.key ?? entry.environment?.name ?? entry.sentence
  const left =
    entry.batchesLeft === null
      ? 'until lifted'
      : `${formatCount(Math.ceil(entry.batchesLeft), 'batch', 'batches')} left`
  return (
    <tr data-changed={lifted ? '' : undefined}>
      <td className="w-[74px]">
        <Kind kind={kind} accent={lifted} />
      </td>
      <td>
        {entry.environment !== null && <EnvTag environment={entry.environment} />}{' '}
        <span className={lifted ? 'text-ink-2 line-through' : 'text-ink-2'}>
          {name}, applied at {entry.from}
        </span>
      </td>
      <td className="num text-ink-2">{lifted ? 'lifted by the draft' : left}</td>
      <td className="num w-[28px]">
        <IconButton
          icon={lifted ? 'undo' : 'close'}
          size="small"
          kind="quiet"
          label={lifted ? `Keep ${kind} of ${name}` : `Lift ${kind} of ${name}`}
          onClick={onToggle}
        />
      </td>
    </tr>
  )
}

export function TargetsPanel({
  run,
  now,
  draft,
  refusals,
  targetOf,
  onChange,
  onRemove,
}: {
  run: string
  now: Steering
  draft: readonly OverrideInput[]
  refusals: ReadonlyMap<string, Refusal>
  targetOf: (id: string) => Target
  onChange: (change: OverrideInput) => void
  onRemove: (key: string) => void
}) {
  const [adding, setAdding] = useState(false)
  const drafted = draft.filter(isTarget)
  const force = now.inForce.filter(({ kind }) => kind in ICONS)
  const lifts = new Set(draft.flatMap((change) => (change.kind === 'lift' ? [change.target] : [])))
  return (
    <Panel
      title="Pins, bans, boosts, pauses"
      acts={
        <button
          type="button"
          className="panel-act px-1"
          aria-expanded={adding}
          onClick={() => setAdding(adding !== true)}
        >
          Add
        </button>
      }
    >
      {adding === true && (
        <AddOverride
          run={run}
          environments={now.quotas.map(({ environment }) => environment)}
          onAdd={onChange}
          onClose={() => setAdding(false)}
        />
      )}
      {drafted.length === 0 && force.length === 0 && adding !== true && (
        <p className="text-12 text-ink-2">None. Add one here, or from a task, an environment or a left-out row.</p>
      )}
      <table className="tbl form" aria-label="Pins, bans, boosts, pauses">
        {drafted.map((change) => {
          const key = changeKey(change)
          return (
            <tbody key={key}>
              <DraftRow
                change={change}
                target={targetOf(change.target)}
                from={now.nextBatch}
                onRemove={() => onRemove(key)}
              />
              <Refused refusal={refusals.get(key)} />
            </tbody>
          )
        })}
        <tbody>
          {force.map((entry) => (
            <ForceRow
              key={entry.id}
              entry={entry}
              lifted={lifts.has(entry.id)}
              onToggle={() =>
                lifts.has(entry.id) ? onRemove(`lift:${entry.id}`) : onChange({ kind: 'lift', target: entry.id })
              }
            />
          ))}
        </tbody>
      </table>
    </Panel>
  )
}
