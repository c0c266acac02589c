/* Owns predicted (hollow) and realised (filled) variance on one line, 0 to the scale's end. */
import { formatFixed } from '@/lib/view/format'

const WIDTH = 84

export function VarianceDots({
  predicted,
  realised,
  scale,
}: {
  predicted: number | null
  realised: number | null
  /** Variance at the right end; one for the table, 0.25 at least, since one group reaches 0.286. */
  scale: number
}) {
  const x = (value: number) => 4 + (Math.min(value, scale) / scale) * 76
  const said = (value: number | null) => (value === null ? 'none yet' : formatFixed(value, 3))
  return (
    <svg
      width={WIDTH}
      height="14"
      role="img"
      aria-label={`predicted ${said(predicted)}, realised ${said(realised)}`}
      className="block"
    >
      {realised === null && (
        <title>Realised: n/a. It takes two trusted rollouts of one task in a group; one has no variance.</title>
      )}
      <path d="M4 7H80" stroke="var(--line-1)" />
      {predicted !== null && realised !== null && (
        <path d={`M${x(predicted)} 7H${x(realised)}`} stroke="var(--text-3)" strokeWidth="1.5" />
      )}
      {realised !== null && <circle cx={x(realised)} cy="7" r="3.6" fill="var(--term-exploit)" />}
      {predicted !== null && (
        <circle
          cx={x(predicted)}
          cy="7"
          r="3.6"
          fill="var(--surface-0)"
          stroke="var(--term-exploit)"
          strokeWidth="1.75"
        />
      )}
    </svg>
  )
}
