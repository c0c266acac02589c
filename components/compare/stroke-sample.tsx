/* Owns the look of a configuration by its rank: ours ink and solid, theirs dashed, a third dotted; further ones are not drawn. */
import { type SeriesLook, STROKES } from '@/components/charts/chart-series'

const LOOKS: readonly { mean: SeriesLook; seed: SeriesLook }[] = [
  { mean: 'ours', seed: 'ours-seed' },
  { mean: 'dash', seed: 'dash-seed' },
  { mean: 'dots', seed: 'dots-seed' },
]

export function lookOf(rank: number, seed: boolean): SeriesLook {
  const look = LOOKS[rank] ?? { mean: 'dots', seed: 'dots-seed' }
  return seed ? look.seed : look.mean
}

export function StrokeSample({ rank }: { rank: number }) {
  if (rank >= LOOKS.length) return null
  const { stroke, width, dash } = STROKES[lookOf(rank, false)]
  return (
    <svg width="22" height="8" aria-hidden="true" className="flex-none">
      <path d="M0 4H22" stroke={stroke} strokeWidth={width} strokeDasharray={dash} />
    </svg>
  )
}
