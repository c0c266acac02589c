/**
 * The possible setting nearest to one that was refused, offered instead of it. Pure; the caller asks the engine whether it stands.
 * Owns: which number gives way. Invariant: the bound that the person moved is the one that is moved back; shares are whole tenths of a per cent.
 */
import type { OverrideInput } from '@/lib/contract/steering'
import { type Quota, WEIGHT_RANGES } from '@/lib/engine/config'

const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value))
const THOUSANDTHS = 1000
const down = (share: number) => Math.floor(share * THOUSANDTHS + 1e-6) / THOUSANDTHS
const up = (share: number) => Math.ceil(share * THOUSANDTHS - 1e-6) / THOUSANDTHS

/** `quotas`: by environment, as they would be without this change; `environment`: ordinal of a quota's target. Null = nothing near. */
export function nearestChange(
  input: OverrideInput,
  quotas: readonly Quota[],
  environment: number | null,
): OverrideInput | null {
  switch (input.kind) {
    case 'weight': {
      const { low, high } = WEIGHT_RANGES[input.target]
      return Number.isFinite(input.value) ? { ...input, value: clamp(input.value, low, high) } : null
    }
    case 'group_sizing':
      return input.value === 'adaptive' ? { ...input, value: 'fixed' } : null
    case 'quota': {
      if (environment === null) return null
      const near = nearestQuota(input, quotas, environment)
      return near.lower === input.lower && near.upper === input.upper ? null : { ...input, ...near }
    }
    default:
      return null
  }
}

export function nearestQuota(wanted: Quota, quotas: readonly Quota[], environment: number): Quota {
  const now = quotas[environment] ?? { lower: 0, upper: 1 }
  let { lower, upper } = wanted
  if (lower > upper) {
    const movedUpper = Math.abs(upper - now.upper) > 1e-9 && Math.abs(lower - now.lower) <= 1e-9
    if (movedUpper) upper = lower
    else lower = upper
  }
  const others = (bound: 'lower' | 'upper') =>
    quotas.reduce((sum, quota, e) => (e === environment ? sum : sum + quota[bound]), 0)
  lower = Math.min(lower, down(clamp(1 - others('lower'), 0, 1)))
  upper = Math.max(upper, up(clamp(1 - others('upper'), 0, 1)), lower)
  return { lower, upper }
}
