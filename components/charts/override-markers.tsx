/* Owns how overrides become markers of a time axis, and the line under a chart that explains their letters. */
import type { OverridePoint } from '@/lib/contract/overview'
import type { ChartMarker } from './chart-series'

export function overrideMarkers(overrides: readonly OverridePoint[]): ChartMarker[] {
  return overrides.map((one) => ({
    x: one.batch,
    letter: one.letter,
    tip: (
      <>
        <b className="font-medium">
          {one.letter}, from batch {one.batch}
        </b>{' '}
        {one.sentence}, by {one.author}
        {one.note !== null && one.note !== '' && `: "${one.note}"`}
      </>
    ),
  }))
}

export function OverrideLegend({ overrides, most = 6 }: { overrides: readonly OverridePoint[]; most?: number }) {
  const shown = overrides.slice(-most)
  return (
    <>
      {overrides.length > shown.length && <span className="text-ink-3">{overrides.length - shown.length} earlier</span>}
      {shown.map((one) => (
        <span key={one.id} className="whitespace-nowrap">
          <b className="font-medium text-ink-1">{one.letter}</b> {one.sentence}
        </span>
      ))}
    </>
  )
}
