/* Owns the words for an environment's reward on uniform slots against its best. Invariant: too few rollouts are said, never shown as 0. */
import type { EnvironmentRow } from '@/lib/contract/environment'
import { formatNumber } from './format'

/** rollouts that the server's bounds rest on at least */
const NEEDED = 64

const share = (value: number) => formatNumber('share', value, '', { decimals: 0 })

export function peakSentence({ uniformReward: now, uniformPeak: peak, uniformRollouts }: EnvironmentRow): string {
  if (now === null || peak === null)
    return `Forgetting: not enough yet, ${Math.min(uniformRollouts, NEEDED)} of ${NEEDED} rollouts on uniform slots.`
  const at = peak.batch === null ? '' : ` at batch ${peak.batch}`
  return `Reward on its uniform slots: ${share(now.value)} (${share(now.low)} to ${share(now.high)}), at best ${share(peak.value)}${at}.`
}
