/**
 * What the engine foretold of a group, as it is stored beside what came back. Pure.
 * Owns: rounding to six digits, since a row is written for each group. Invariant: what is not finite is null, never 0.
 */
import type { Shares } from '@/lib/engine/decision'
import type { Foretold } from '@/lib/engine/foretell'
import type { GroupRow } from '@/lib/store/group'

const short = (value: number) => Number(value.toPrecision(6))
const known = (value: number | null) => (value !== null && Number.isFinite(value) ? short(value) : null)

/** Own, within, cross, prior; null where one of them is not known. */
export function sharesOf(shares: Shares | null): number[] | null {
  if (shares === null) return null
  const all = [shares.own, shares.within, shares.cross, shares.prior]
  return all.every(Number.isFinite) ? all.map(short) : null
}

/** A pick's shares stay those of its decision, and its batch keeps the weights. */
export function toldOf(
  { shares, variance, rollouts, loss, weights }: Foretold,
  group: Pick<GroupRow, 'shares' | 'lease'>,
): Pick<GroupRow, 'shares' | 'told'> {
  return {
    shares: group.shares ?? sharesOf(shares),
    told: {
      variance: variance.map(known),
      rollouts,
      loss: loss.map(known),
      weights: group.lease === null ? weights.map(short) : null,
    },
  }
}
