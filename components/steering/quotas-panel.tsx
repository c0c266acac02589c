'use client'
/* Owns the quotas of the draft: range in force, meter under the draft, lower and upper in per cent, refusals in place.
   Invariant: which rows are shown does not change under a person's hand; only changed ones join. */
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { EnvTag } from '@/components/ui/env-tag'
import { NumberField } from '@/components/ui/number-field'
import { Panel } from '@/components/ui/panel'
import { QuotaMeter } from '@/components/ui/quota-meter'
import type { OverrideInput, Steering } from '@/lib/contract/steering'
import { ownWindow, quotaScale } from '@/lib/view/batch-quota'
import { formatFixed } from '@/lib/view/format'
import { tightQuotas, windowSince } from '@/lib/view/steering-quota'
import { percentBare } from '@/lib/view/steering-words'
import { type Refusal, Refused } from './refused'

const ANEW =
  'A quota is a share of the picks in its window. Changed, it starts that window anew: picks made before the change count neither for nor against it.'

type Quota = Steering['quotas'][number]
type QuotaChange = Extract<OverrideInput, { kind: 'quota' }>

function decimalsOf(share: number): number {
  return Math.abs(share * 100 - Math.round(share * 100)) < 1e-6 ? 0 : 1
}

function Bound({
  label,
  value,
  now,
  error,
  onChange,
}: {
  label: string
  value: number
  now: number
  error: boolean
  onChange: (share: number) => void
}) {
  return (
    <span className="inline-block" data-refused={error ? '' : undefined}>
      <NumberField
        label={label}
        hideLabel
        value={value * 100}
        decimals={decimalsOf(value)}
        min={0}
        max={100}
        step={1}
        width={48}
        changed={Math.abs(value - now) > 1e-9}
        onChange={(next) => {
          if (next !== null) onChange(Math.min(1, Math.max(0, Math.round(next * 10) / 1000)))
        }}
      />
    </span>
  )
}

function QuotaRow({
  quota,
  change,
  scale,
  own,
  refused,
  onChange,
}: {
  quota: Quota
  change: QuotaChange | undefined
  scale: number
  /** how its window is shorter than the others', or null */
  own: string | null
  refused: boolean
  onChange: (change: OverrideInput) => void
}) {
  const { environment } = quota
  const lower = change?.lower ?? quota.lower
  const upper = change?.upper ?? quota.upper
  const note = change === undefined ? own : 'counted anew'
  const set = (next: { lower: number; upper: number }) => onChange({ kind: 'quota', target: environment.id, ...next })
  return (
    <tr>
      <td>
        <EnvTag environment={environment} />
      </td>
      <td className="num text-ink-2">
        {percentBare(quota.lower)} <span className="unit">to</span> {percentBare(quota.upper)}{' '}
        <span className="unit">%</span>
      </td>
      <td className="w-[112px]">
        <QuotaMeter
          used={quota.window === 0 ? 0 : quota.used / quota.window}
          lower={Math.min(lower, upper)}
          upper={upper}
          scale={scale}
          onePick={quota.window === 0 ? 0 : 1 / quota.window}
          paused={quota.window === 0}
          restarts={change !== undefined}
        />
        {note !== null && (
          <span className="block text-11 text-ink-3" title={ANEW}>
            {note}
          </span>
        )}
      </td>
      <td className="num w-[112px]">
        <span className="inline-flex gap-1" data-refused={refused ? '' : undefined}>
          <Bound
            label={`${environment.code} lower quota, per cent`}
            value={lower}
            now={quota.lower}
            error={refused}
            onChange={(next) => set({ lower: next, upper })}
          />
          <Bound
            label={`${environment.code} upper quota, per cent`}
            value={upper}
            now={quota.upper}
            error={refused}
            onChange={(next) => set({ lower, upper: next })}
          />
        </span>
      </td>
    </tr>
  )
}

export function QuotasPanel({
  now,
  draft,
  refusals,
  onChange,
}: {
  now: Steering
  draft: readonly OverrideInput[]
  refusals: ReadonlyMap<string, Refusal>
  onChange: (change: OverrideInput) => void
}) {
  const [all, setAll] = useState(false)
  const [opened] = useState(() => tightQuotas(now.quotas, 4))
  // What came into force since (an undo, a colleague) joins: a quota in force is never out of sight.
  const tight = [...opened, ...tightQuotas(now.quotas, 0).filter((id) => !opened.includes(id))]
  const changes = new Map(
    draft.flatMap((change) => (change.kind === 'quota' ? [[change.target, change] as const] : [])),
  )
  const first = tight.flatMap((id) => now.quotas.filter(({ environment }) => environment.id === id))
  const joined = now.quotas.filter(({ environment }) => changes.has(environment.id) && !tight.includes(environment.id))
  const rows = all === true ? now.quotas : [...first, ...joined]
  const longest = Math.max(0, ...now.quotas.map(({ window }) => window))
  const scale = quotaScale([
    ...now.quotas,
    ...[...changes.values()].map((change) => ({ used: 0, window: 0, ...change })),
  ])
  return (
    <Panel
      title="Quotas"
      sub={`share of picks in a window of ${formatFixed(now.windowBatches, 0)} batches`}
      acts={
        now.quotas.length > first.length && (
          <Button size="small" aria-expanded={all} onClick={() => setAll(all !== true)}>
            {all === true ? `First ${first.length}` : `All ${now.quotas.length}`}
          </Button>
        )
      }
    >
      <table className="tbl form" aria-label="Quotas">
        <thead>
          <tr>
            <th scope="col">env.</th>
            <th scope="col" className="num">
              now
            </th>
            <th scope="col">
              <span className="sr-only">use</span>
            </th>
            <th scope="col" className="num">
              draft, lower and upper %
            </th>
          </tr>
        </thead>
        {rows.map((quota) => {
          const { id } = quota.environment
          const refusal = refusals.get(`quota:${id}`)
          return (
            <tbody key={id}>
              <QuotaRow
                quota={quota}
                change={changes.get(id)}
                scale={scale}
                own={ownWindow(quota.window, longest, windowSince(now, id))}
                refused={refusal !== undefined}
                onChange={onChange}
              />
              <Refused refusal={refusal} />
            </tbody>
          )
        })}
      </table>
    </Panel>
  )
}
