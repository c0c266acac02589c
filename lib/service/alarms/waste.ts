/**
 * Waste above target: chosen groups that teach nothing, more often than the researcher accepted.
 * Formula: over the judged groups of score and pin slots of the last 10 batches (64 at least), the upper 99 % bound (Wilson)
 * of the informative share lies under the run's target.
 * Not in the first 20 batches, in which the scheduler still finds out what is where.
 * Why: uniform slots pay for an honest measure and are not counted. 99 % since it is asked after every batch.
 */
import { judged, rewardsDiffer, wilson } from '@/lib/service/tally'
import { type AlarmRule, percent } from './ring'

const GROUPS = 64
const BATCHES = 10
const Z99 = 2.575829

export const waste: AlarmRule = (run) => {
  const known = judged(run.recent).filter((group) => group.slot !== 'uniform' && group.slot !== null)
  const n = known.length
  if (run.batch < 2 * BATCHES || n < GROUPS || !(run.target > 0)) return []
  const hits = known.filter((group) => rewardsDiffer(group) === true).length
  if (wilson(hits, n, Z99).high >= run.target) return []
  const equal = known.filter((group) => rewardsDiffer(group) === false)
  const solved = equal.filter((group) => group.mean === 1).length
  const failed = equal.filter((group) => group.mean === 0).length
  const advice =
    solved >= failed ? 'add harder tasks or ban the solved ones' : 'add easier tasks, or start from a stronger policy'
  return [
    {
      key: 'waste',
      kind: 'waste',
      severity: 'warn',
      environment: null,
      title: 'Waste is above target.',
      sentence: `${hits} of ${n} chosen groups (${percent(hits / n)}) of the last ${run.recentBatches} batches were informative, under the target of ${percent(run.target)}; ${solved} were all solved and ${failed} all failed: ${advice}.`,
      ago: 0,
    },
  ]
}
