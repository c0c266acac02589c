/**
 * Leases that run out, and a run in which every task is out.
 * Formula: of the picks of the last 10 batches that ended (16 at least), the lower Wilson bound of the share that expired
 * with nothing returned is above .15; stuck when the 3 newest batches are empty and leases are open.
 * Why: an expired pick was paid with a place in a batch. What was given back (released) is no loss and is not counted.
 */
import { wilson } from '@/lib/service/tally'
import { type AlarmRule, percent, type Ring } from './ring'

const ENDED = 16
const EXPIRING = 0.15
/** batches without a pick, after which a run is stuck */
export const STUCK_BATCHES = 3

export const leases: AlarmRule = (run) => {
  const rings: Ring[] = []
  const ended = run.recent.filter((group) => group.state !== 'open' && !run.released.has(group.lease ?? -1))
  const expired = ended.filter((group) => group.returned === 0 && group.lease !== null).length
  if (ended.length >= ENDED && wilson(expired, ended.length).low > EXPIRING) {
    rings.push({
      key: 'leases',
      kind: 'leases',
      severity: 'warn',
      environment: null,
      title: 'Leases run out.',
      sentence: `${expired} of ${ended.length} picks (${percent(expired / ended.length)}) of the last ${run.recentBatches} batches expired without a rollout: raise leaseSeconds, or release what will not be rolled out.`,
      ago: 0,
    })
  }
  if (run.newestSizes.length === STUCK_BATCHES && run.leased > 0 && run.newestSizes.every((size) => size === 0)) {
    rings.push({
      key: 'stuck',
      kind: 'leases',
      severity: 'bad',
      environment: null,
      title: 'No task is free.',
      sentence: `All ${run.leased} leases are out: report their rollouts, each under an id of its own, or release them.`,
      ago: STUCK_BATCHES - 1,
    })
  }
  return rings
}
