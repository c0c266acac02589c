/**
 * All rules at once, and which alarm makes another one pointless.
 * Owns: the list and the order of what is worse. Invariant: an environment that pays nothing or starves is not told again for its
 * failures, its locked tasks or its drift. Cost: O(environments + recent groups).
 */
import type { Alarm } from '@/lib/contract/overview'
import { contractMismatch } from './contract-mismatch'
import { drift } from './drift'
import { failures } from './failures'
import { forgetting } from './forgetting'
import { leases } from './leases'
import { noisyVerifier } from './noisy-verifier'
import type { AlarmRule, Ring, RunFacts } from './ring'
import { selfLock } from './self-lock'
import { starved } from './starved'
import { waste } from './waste'

const RULES: readonly AlarmRule[] = [
  contractMismatch,
  starved,
  forgetting,
  failures,
  noisyVerifier,
  selfLock,
  drift,
  waste,
  leases,
]

/** what an alarm explains already, of the same environment */
const EXPLAINS: Partial<Record<Alarm['kind'], readonly Alarm['kind'][]>> = {
  contract: ['failures', 'self_lock', 'drift', 'starved'],
  starved: ['failures', 'drift'],
  failures: ['drift'],
  noisy_verifier: ['drift'],
}

/** Every alarm that holds now; of one environment the worst first. */
export function ringAlarms(run: RunFacts): Ring[] {
  const rings = RULES.flatMap((rule) => rule(run))
  return rings.filter(
    ({ environment, kind }) =>
      environment === null ||
      !rings.some((other) => other.environment === environment && (EXPLAINS[other.kind] ?? []).includes(kind)),
  )
}
