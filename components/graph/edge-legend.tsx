'use client'
/* Owns the legend that filters edges: each kind switched, thresholded and counted apart; below it, what size and ring mean.
   Invariant: a slider and its number field say the same; a change is handed on when the hand rests. */
import { type CSSProperties, useEffect, useRef, useState } from 'react'
import { Key } from '@/components/ui/key'
import { NumberField } from '@/components/ui/number-field'
import { Switch } from '@/components/ui/switch'
import { formatCount, formatFixed } from '@/lib/view/format'
import { EDGE_KINDS, type EdgeFilter, type EdgeKind, MAX_DRAWN } from '@/lib/view/graph-edges'
import { RelationLine } from './relation-line'

const HAND_RESTS_MS = 120

export interface EdgeLegendProps {
  filter: EdgeFilter
  /** "3 127 of 6 940", by kind */
  counts: Record<EdgeKind, string>
  /** how many bridges stand in where too many edges pass; null = edges are drawn one by one */
  bridges: number | null
  /** edges drawn one by one; fewer than are counted where there are too many */
  drawn: number
  /** "120 strongest of 3 104 pairs" where environments are circles, else null */
  pairs: string | null
  /** edges within the open island are drawn among circles */
  isOpen: boolean
  batch: number
  onSwitch: (kind: EdgeKind, on: boolean) => void
  onThreshold: (kind: EdgeKind, min: number) => void
}

export function EdgeLegend(props: EdgeLegendProps) {
  const { filter, counts, bridges, drawn, pairs, isOpen, batch, onSwitch, onThreshold } = props
  const kinds = pairs === null || isOpen ? EDGE_KINDS : (['cross'] as const)
  return (
    <section
      aria-label="Edges shown"
      className="absolute bottom-[12px] left-[12px] rounded-2 border border-line-1 bg-surface-0 px-[12px] pt-[4px] pb-[8px] text-12 [&_.input]:h-[24px] max-sm:hidden"
    >
      {kinds.map((kind) => (
        <div key={kind} className="flex min-h-[28px] items-center gap-[8px]">
          <span className="flex w-[104px] items-center gap-[8px]">
            <RelationLine kind={kind} />
            <Switch label={kind} checked={filter[kind].on} onChange={(on) => onSwitch(kind, on)} />
          </span>
          <Threshold kind={kind} min={filter[kind].min} onChange={(min) => onThreshold(kind, min)} />
          <span className="whitespace-nowrap text-ink-2" data-edges={kind}>
            {kind === 'cross' && pairs !== null ? pairs : counts[kind]}
          </span>
        </div>
      ))}
      {bridges !== null && (
        <p className="pb-1 text-ink-2">
          Above {formatFixed(MAX_DRAWN, 0)} edges, {formatCount(bridges, 'bridge')} between islands stand for them.
        </p>
      )}
      {isOpen && drawn === MAX_DRAWN && (
        <p className="pb-1 text-ink-2">
          Of the open island's edges the strongest {formatFixed(MAX_DRAWN, 0)} are drawn.
        </p>
      )}
      {(pairs === null || isOpen) && <PointKeys batch={pairs === null ? batch : 0} />}
      {pairs !== null && <CircleKeys batch={batch} />}
    </section>
  )
}

const ROW = 'flex min-h-[28px] items-center gap-[14px] text-ink-2'

function PointKeys({ batch }: { batch: number }) {
  return (
    <div className={ROW}>
      <span className="flex items-center gap-[5px]">
        <svg width="34" height="12" fill="var(--text-2)" aria-hidden="true">
          <circle cx="4" cy="6" r="2" />
          <circle cx="14" cy="6" r="3.5" />
          <circle cx="27" cy="6" r="5.2" />
        </svg>
        predicted variance
      </span>
      <span className="flex items-center gap-[5px]">
        <svg width="12" height="12" fill="none" stroke="var(--text-2)" strokeWidth="1.5" aria-hidden="true">
          <circle cx="6" cy="6" r="4.4" />
        </svg>
        not tried
      </span>
      {batch > 0 && (
        <Key colour="var(--text-1)" mark="ring">
          picked in batch {batch}
        </Key>
      )}
    </div>
  )
}

function CircleKeys({ batch }: { batch: number }) {
  return (
    <div className={ROW}>
      <span className="flex items-center gap-[6px]">
        <span className="flex" aria-hidden="true">
          {[0, 1, 2, 3, 4, 5, 6].map((step) => (
            <i key={step} className="h-[10px] w-[12px]" style={{ background: `var(--seq-${step})` }} />
          ))}
        </span>
        mean variance 0 to 0.25
      </span>
      <span className="flex items-center gap-[5px]">
        <svg width="26" height="14" fill="none" stroke="var(--text-2)" aria-hidden="true">
          <circle cx="4" cy="7" r="3" />
          <circle cx="18" cy="7" r="6" />
        </svg>
        tasks
      </span>
      {batch > 0 && (
        <Key colour="var(--text-1)" mark="ring">
          picks in batch {batch}
        </Key>
      )}
    </div>
  )
}

function Threshold({ kind, min, onChange }: { kind: EdgeKind; min: number; onChange: (min: number) => void }) {
  const [held, setHeld] = useState<number | null>(null)
  const rest = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(rest.current), [])
  const value = held ?? min
  const take = (next: number) => {
    const kept = Math.min(1, Math.max(0, Math.round(next * 100) / 100))
    setHeld(kept)
    clearTimeout(rest.current)
    rest.current = setTimeout(() => {
      onChange(kept)
      setHeld(null)
    }, HAND_RESTS_MS)
  }
  return (
    <>
      <span className="slider w-[90px] flex-none" style={{ '--at': `${value * 100}%` } as CSSProperties}>
        <input
          type="range"
          aria-label={`Least weight of ${kind} edges`}
          aria-valuetext={formatFixed(value, 2)}
          min={0}
          max={1}
          step={0.01}
          value={value}
          onChange={(event) => take(event.target.valueAsNumber)}
        />
      </span>
      <span className="text-ink-2" aria-hidden="true">
        ≥
      </span>
      <NumberField
        label={`Least weight of ${kind} edges, number`}
        hideLabel
        value={value}
        min={0}
        max={1}
        step={0.05}
        width={52}
        onChange={(next) => {
          if (next !== null) take(next)
        }}
      />
    </>
  )
}
