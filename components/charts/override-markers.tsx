'use client'
/* Owns how overrides become markers of every time axis of a run, and the line under a chart that explains their letters.
   Invariant: one query a run feeds them all, so that a letter means the same on each page. */
import { useQuery } from '@tanstack/react-query'
import { overridesQuery } from '@/lib/client/steering'
import type { OverridePoint } from '@/lib/contract/overview'
import type { Override } from '@/lib/contract/steering'
import type { ChartMarker } from './chart-series'
import { useOverrideParam } from './use-override-param'

/** Who, from when, why, before and after: what a hover says. */
function OverrideTip({ point }: { point: OverridePoint }) {
  return (
    <>
      <b className="font-medium">
        {point.letter}, from batch {point.batch}
      </b>{' '}
      {point.sentence}, by {point.author}
      {point.note !== null && point.note !== '' && `: "${point.note}"`}
      <span className="block text-ink-3">
        {point.before} before, {point.after} after
      </span>
    </>
  )
}

export function overrideMarkers(overrides: readonly OverridePoint[]): ChartMarker[] {
  return overrides.map((point) => ({
    x: point.batch,
    letter: point.letter,
    tip: <OverrideTip point={point} />,
    override: { id: point.id, sentence: point.sentence },
  }))
}

const pointOf = ({ id, letter, from, sentence, before, after, author, note }: Override): OverridePoint => ({
  id,
  letter,
  batch: from,
  sentence,
  before,
  after,
  author,
  note,
})

/**
 * All overrides of the run as markers, oldest first; `about` leaves out what does not matter to a chart (an environment, a
 * task). Empty while they are asked for: lines do not wait for letters.
 */
export function useOverrideMarkers(
  run: string,
  about: (override: Override) => boolean = () => true,
): { points: OverridePoint[]; markers: ChartMarker[] } {
  const { data } = useQuery(overridesQuery(run))
  const points = (data?.items ?? [])
    .filter((one) => !one.superseded && about(one))
    .map(pointOf)
    .reverse()
  return { points, markers: overrideMarkers(points) }
}

/** Keeps what touches all environments, this environment, or this task. */
export function touches(environment: string, task: string | null = null): (override: Override) => boolean {
  return (override) =>
    (override.environment === null && override.task === null) ||
    override.environment?.id === environment ||
    (override.task !== null &&
      (override.task.id === task || (task === null && override.task.environment.id === environment)))
}

export function OverrideLegend({ overrides, most = 6 }: { overrides: readonly OverridePoint[]; most?: number }) {
  const [, open] = useOverrideParam()
  const shown = overrides.slice(-most)
  return (
    <>
      {overrides.length > shown.length && <span className="text-ink-3">{overrides.length - shown.length} earlier</span>}
      {shown.map((one) => (
        <button
          key={one.id}
          type="button"
          className="inline-flex min-h-6 items-center gap-1 text-left hover:underline"
          title={`Before and after ${one.letter}`}
          onClick={() => open(one.id)}
        >
          <b className="font-medium text-ink-1">{one.letter}</b> {one.sentence}
        </button>
      ))}
    </>
  )
}
