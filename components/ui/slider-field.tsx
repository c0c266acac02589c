'use client'
/* Owns a slider with its number field: the same value twice, either can be used. A tick marks the value in force. */
import type { CSSProperties } from 'react'
import { FieldError } from './field-error'
import { NumberField } from './number-field'

export function SliderField({
  label,
  value,
  inForce,
  onChange,
  min,
  max,
  step,
  decimals = 2,
  explain,
  error,
  disabled = false,
}: {
  label: string
  value: number
  /** The value the next batch would use without the draft; null where there is none. */
  inForce: number | null
  onChange: (value: number) => void
  min: number
  max: number
  step: number
  decimals?: number
  /** Hover: what the setting does. */
  explain?: string
  error?: string | null
  disabled?: boolean
}) {
  const part = (at: number) => Math.min(1, Math.max(0, (at - min) / (max - min)))
  const changed = inForce !== null && Math.abs(inForce - value) > 1e-9
  const style = {
    '--at': `${part(value) * 100}%`,
    '--tick': inForce === null ? 0 : part(inForce),
  } as CSSProperties
  return (
    <div className="field">
      <span className={`field-label ${explain === undefined ? '' : 'explained justify-self-start'}`} title={explain}>
        {label}
      </span>
      <span className="flex items-center gap-[14px]">
        <span
          className="slider"
          style={style}
          data-changed={changed ? '' : undefined}
          data-tick={changed ? '' : undefined}
        >
          <input
            type="range"
            aria-label={label}
            min={min}
            max={max}
            step={step}
            value={value}
            disabled={disabled}
            onChange={(event) => onChange(event.target.valueAsNumber)}
          />
        </span>
        <NumberField
          label={`${label}, number`}
          hideLabel
          value={value}
          decimals={decimals}
          min={min}
          max={max}
          step={step}
          changed={changed}
          disabled={disabled}
          onChange={(next) => {
            if (next !== null) onChange(Math.min(max, Math.max(min, next)))
          }}
        />
        {changed && <span className="field-hint">now {inForce.toFixed(decimals)}</span>}
      </span>
      <FieldError>{error}</FieldError>
    </div>
  )
}
