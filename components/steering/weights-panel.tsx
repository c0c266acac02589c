'use client'
/* Owns the weights of the draft and how groups are sized: term, value in force, slider and field or choice.
   A changed one is accent, with a tick where it stands now. */
import type { CSSProperties } from 'react'
import { NumberField } from '@/components/ui/number-field'
import { Panel } from '@/components/ui/panel'
import { Segmented } from '@/components/ui/segmented'
import type { OverrideInput, Steering } from '@/lib/contract/steering'
import { formatFixed } from '@/lib/view/format'
import { GROUP_SIZING_HINT, WEIGHT_HINTS, WEIGHT_LABELS } from '@/lib/view/steering-words'
import { type Refusal, Refused } from './refused'

interface Setting {
  key: string
  label: string
  hint: string
  now: number
  value: number
  low: number
  high: number
  step: number
  change: (value: number) => OverrideInput
}

function settings(now: Steering, draft: readonly OverrideInput[]): Setting[] {
  const rows = now.weights.map((weight): Setting => {
    const drafted = draft.find((change) => change.kind === 'weight' && change.target === weight.name)
    return {
      key: `weight:${weight.name}`,
      label: WEIGHT_LABELS[weight.name],
      hint: WEIGHT_HINTS[weight.name],
      now: weight.now,
      value: drafted?.kind === 'weight' ? drafted.value : weight.now,
      low: weight.low,
      high: weight.high,
      step: weight.step,
      change: (value) => ({ kind: 'weight', target: weight.name, value }),
    }
  })
  const uniform = draft.find((change) => change.kind === 'uniform_share')
  rows.push({
    key: 'uniform_share',
    label: 'uniform share',
    hint: 'part of each batch that is drawn uniformly: rehearsal, and the honest sample',
    now: now.uniformShare,
    value: uniform?.kind === 'uniform_share' ? uniform.value : now.uniformShare,
    low: 0,
    high: 1,
    step: 0.05,
    change: (value) => ({ kind: 'uniform_share', value }),
  })
  return rows
}

function WeightRow({ row, onChange }: { row: Setting; onChange: (change: OverrideInput) => void }) {
  const part = (at: number) => Math.min(1, Math.max(0, (at - row.low) / (row.high - row.low)))
  const changed = Math.abs(row.value - row.now) > 1e-9
  const style = { '--at': `${part(row.value) * 100}%`, '--tick': part(row.now) } as CSSProperties
  const mark = changed ? '' : undefined
  return (
    <tr>
      <td className="whitespace-nowrap">
        <span className="explained" title={row.hint}>
          {row.label}
        </span>
      </td>
      <td className="num w-[46px] text-ink-2">{formatFixed(row.now, 2)}</td>
      <td className="w-[112px]">
        <span className="slider" style={style} data-changed={mark} data-tick={mark}>
          <input
            type="range"
            aria-label={`${row.label}, slider`}
            min={row.low}
            max={row.high}
            step={row.step}
            value={row.value}
            onChange={(event) => onChange(row.change(event.target.valueAsNumber))}
          />
        </span>
      </td>
      <td className="num w-[66px]">
        <span className="inline-block">
          <NumberField
            label={`${row.label}, draft`}
            hideLabel
            value={row.value}
            min={row.low}
            max={row.high}
            step={row.step}
            changed={changed}
            width={58}
            onChange={(next) => {
              if (next !== null) onChange(row.change(Math.min(row.high, Math.max(row.low, next))))
            }}
          />
        </span>
      </td>
    </tr>
  )
}

function SizingRow({
  now,
  draft,
  onChange,
}: {
  now: Steering
  draft: readonly OverrideInput[]
  onChange: (change: OverrideInput) => void
}) {
  const drafted = draft.find((change) => change.kind === 'group_sizing')
  const value = drafted?.kind === 'group_sizing' ? drafted.value : now.groupSizing
  return (
    <tr>
      <td className="whitespace-nowrap">
        <span className="explained" title={GROUP_SIZING_HINT}>
          group sizes
        </span>
      </td>
      <td className="num w-[46px] text-ink-2">{now.groupSizing}</td>
      <td colSpan={2} className="num">
        <Segmented<Steering['groupSizing']>
          label="Group sizes, draft"
          options={[
            { value: 'fixed', label: 'fixed' },
            { value: 'adaptive', label: 'adaptive' },
          ]}
          value={value}
          onChange={(next) => onChange({ kind: 'group_sizing', value: next })}
        />
      </td>
    </tr>
  )
}

export function WeightsPanel({
  now,
  draft,
  refusals,
  onChange,
  onReset,
}: {
  now: Steering
  draft: readonly OverrideInput[]
  /** by the key of the change */
  refusals: ReadonlyMap<string, Refusal>
  onChange: (change: OverrideInput) => void
  onReset: () => void
}) {
  const rows = settings(now, draft)
  return (
    <Panel
      title="Weights"
      acts={
        draft.length > 0 && (
          <button type="button" className="panel-act px-1" onClick={onReset}>
            Reset draft
          </button>
        )
      }
    >
      <table className="tbl form" aria-label="Weights">
        <thead>
          <tr>
            <th scope="col">term</th>
            <th scope="col" className="num">
              now
            </th>
            <th scope="col" colSpan={2} className="num">
              draft
            </th>
          </tr>
        </thead>
        {rows.map((row) => (
          <tbody key={row.key}>
            <WeightRow row={row} onChange={onChange} />
            <Refused refusal={refusals.get(row.key)} />
          </tbody>
        ))}
        <tbody>
          <SizingRow now={now} draft={draft} onChange={onChange} />
          <Refused refusal={refusals.get('group_sizing')} />
        </tbody>
      </table>
    </Panel>
  )
}
