/* Owns the line in a table cell: one value a batch, its end marked. Invariant: gaps stay gaps; a flat line is in the middle. */

export function Sparkline({
  values,
  low,
  high,
  width = 74,
  height = 20,
  label,
}: {
  values: readonly (number | null)[]
  /** One range for a whole column, else its own. */
  low?: number
  high?: number
  width?: number
  height?: number
  label: string
}) {
  const known = values.filter((value) => value !== null)
  if (known.length === 0) return <span className="unit">not yet</span>
  const min = low ?? Math.min(...known)
  const max = high ?? Math.max(...known)
  const x = (i: number) => 1 + (values.length > 1 ? (i / (values.length - 1)) * (width - 4) : 0)
  const y = (value: number) => (max > min ? 2 + (1 - (value - min) / (max - min)) * (height - 4) : height / 2)
  let pen = 'M'
  let path = ''
  let end: [number, number] | null = null
  values.forEach((value, i) => {
    if (value === null) {
      pen = 'M'
      return
    }
    path += `${pen}${x(i).toFixed(1)} ${y(value).toFixed(1)}`
    pen = 'L'
    end = [x(i), y(value)]
  })
  const [endX, endY] = end ?? [0, 0]
  return (
    <svg width={width} height={height} role="img" aria-label={label}>
      <path d={path} fill="none" stroke="var(--text-2)" strokeWidth="1.25" />
      <circle cx={endX} cy={endY} r="2" fill="var(--text-1)" />
    </svg>
  )
}
