'use client'
/* Owns the checkbox, mixed state included. The target is 24 px, the box 15. */
import { Icon } from './icon'

export function Checkbox({
  label,
  checked,
  mixed = false,
  onChange,
  disabled = false,
}: {
  /** Read out; a visible label is the caller's. */
  label: string
  checked: boolean
  mixed?: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
}) {
  return (
    <label className="checkbox">
      <input
        type="checkbox"
        aria-label={label}
        checked={checked}
        disabled={disabled}
        ref={(box) => {
          if (box !== null) box.indeterminate = mixed
        }}
        onChange={(event) => onChange(event.target.checked)}
      />
      <Icon name="tick" data-for="on" />
      <Icon name="minus" data-for="mixed" />
    </label>
  )
}
