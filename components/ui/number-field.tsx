'use client'
/* Owns a number a person types. Keeps the text while typing, reports a finite number or null (empty or not a number).
   Invariant: never reports NaN; null is "no number", never 0. */
import { useId, useState } from 'react'
import { FieldError } from './field-error'

interface NumberFieldProps {
  /** Shown above the field, or only read out with `hideLabel`. */
  label: string
  hideLabel?: boolean
  value: number | null
  onChange: (value: number | null) => void
  decimals?: number
  min?: number
  max?: number
  step?: number
  /** The draft differs from what is in force. */
  changed?: boolean
  hint?: string
  error?: string | null
  disabled?: boolean
  width?: number
}

export function NumberField(props: NumberFieldProps) {
  const { label, hideLabel = false, value, decimals = 2, changed = false, hint, error, disabled } = props
  const id = useId()
  const [typed, setTyped] = useState<string | null>(null)
  const text = typed ?? (value === null ? '' : value.toFixed(decimals))
  const invalid = error !== null && error !== undefined && error !== ''

  const accept = (next: string) => {
    setTyped(next)
    const parsed = next.trim() === '' ? null : Number(next.replace(',', '.').replace('\u2212', '-'))
    props.onChange(parsed !== null && Number.isFinite(parsed) ? parsed : null)
  }

  return (
    <span className="field">
      <label className={hideLabel === true ? 'sr-only' : 'field-label'} htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        className="input"
        data-number=""
        data-changed={changed === true ? '' : undefined}
        aria-invalid={invalid}
        aria-describedby={invalid ? `${id}-error` : undefined}
        inputMode="decimal"
        style={props.width === undefined ? undefined : { width: props.width }}
        value={text}
        disabled={disabled}
        onChange={(event) => accept(event.target.value)}
        onBlur={() => setTyped(null)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
          event.preventDefault()
          const step = (props.step ?? 10 ** -decimals) * (event.key === 'ArrowUp' ? 1 : -1)
          const next = Math.min(props.max ?? Infinity, Math.max(props.min ?? -Infinity, (value ?? 0) + step))
          accept(next.toFixed(decimals))
        }}
      />
      {hint !== undefined && <span className="field-hint">{hint}</span>}
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </span>
  )
}
