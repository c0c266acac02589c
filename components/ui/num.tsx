/* Owns a number in text: fixed decimals by kind, the unit quieter than the figure. Invariant: unknown is words in text-3, never 0 or a dash. */
import { formatBare, type NumberKind, unitOf } from '@/lib/view/format'

export function Num({
  kind,
  value,
  absent,
  signed,
  decimals,
  of,
  unit = true,
}: {
  kind: NumberKind
  value: number | null | undefined
  /** What is said where there is no number: "not yet", "no group", "n/a". */
  absent: string
  signed?: boolean
  decimals?: number
  /** The whole this is a part of: "41 / 64". */
  of?: number | null
  /** false where the head of the column has the unit. */
  unit?: boolean
}) {
  if (value === null || value === undefined || !Number.isFinite(value)) return <span className="unit">{absent}</span>
  const sign = unitOf(kind)
  return (
    <span className="whitespace-nowrap">
      {formatBare(kind, value, absent, { signed, decimals })}
      {of !== undefined && of !== null && <span className="unit"> / {formatBare(kind, of, absent, { decimals })}</span>}
      {unit !== false && sign !== null && <span className="unit">{`\u00a0${sign}`}</span>}
    </span>
  )
}
