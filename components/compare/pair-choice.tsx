/* Owns which two of more than two configurations are set against each other. */
import type { Configuration } from '@/lib/view/compare-configurations'

function Choice({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: Configuration
  options: readonly Configuration[]
  onChange: (id: string) => void
}) {
  return (
    <select
      className="input h-[26px]! max-w-[220px] text-12!"
      aria-label={label}
      value={value.runs[0]?.id ?? ''}
      onChange={(event) => onChange(event.target.value)}
    >
      {options.map((one) => (
        <option key={one.key} value={one.runs[0]?.id ?? ''}>
          {one.name}
        </option>
      ))}
    </select>
  )
}

export function PairChoice({
  ordered,
  pair,
  setPair,
}: {
  ordered: readonly Configuration[]
  pair: readonly [Configuration, Configuration]
  setPair: (of: string, minus: string) => void
}) {
  const id = (one: Configuration) => one.runs[0]?.id ?? ''
  const [ours, theirs] = pair
  return (
    <span className="inline-flex flex-wrap items-center gap-[6px] text-12 text-ink-2">
      Difference of
      <Choice
        label="Difference of"
        value={ours}
        options={ordered}
        onChange={(next) => setPair(next, next === id(theirs) ? id(ours) : id(theirs))}
      />
      minus
      <Choice
        label="Difference minus"
        value={theirs}
        options={ordered}
        onChange={(next) => setPair(next === id(ours) ? id(theirs) : id(ours), next)}
      />
    </span>
  )
}
