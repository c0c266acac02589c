/**
 * The quieter line under the graph's verdict: of when the picture is, and what it does not hold.
 * Invariant: where the predictions of the shown batch were not kept, it is said, and which ones stand in.
 */
import type { GraphView } from '@/lib/contract/graph'
import { formatCount, formatFixed } from './format'

/** Of now, beside a past batch. */
export interface Now {
  tried: number
  picks: number
}

/** `now`: what holds today where the graph is of a past batch, null where it is of today or not known. */
export function momentWords(graph: GraphView, now: Now | null = null): string {
  const { batch, predictionsOf, environments, total, version, counts } = graph
  const tried = environments.reduce((sum, island) => sum + island.tried, 0)
  const picks = environments.reduce((sum, island) => sum + island.picks, 0)
  const coverage = `${formatFixed(tried, 0)} of ${formatCount(total, 'task')} tried`
  const said = [
    predictionsOf === null
      ? batch === 0
        ? `No batch yet: sizes are what the prior predicts, ${coverage}.`
        : `As of batch ${batch}: ${coverage}.`
      : `As batch ${batch} was chosen: ${formatCount(picks, 'pick')}, ${coverage} by then.`,
  ]
  if (predictionsOf !== null && now !== null)
    said.push(
      `Now ${formatFixed(now.tried, 0)} are tried and ${formatCount(now.picks, 'task')} ${now.picks === 1 ? 'is' : 'are'} picked.`,
    )
  if (predictionsOf !== null && predictionsOf !== batch)
    said.push(`Predictions of batch ${batch} are not kept; nearest kept: ${predictionsOf}.`)
  if (counts.within + counts.cross === 0)
    said.push('No edge is stored: these tasks share too little for evidence to travel along one.')
  said.push(`Graph version ${version}.`)
  return said.join(' ')
}
