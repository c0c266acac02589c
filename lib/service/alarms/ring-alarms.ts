/**
 * All rules at once, and which alarm makes another one pointless.
 * Owns: the list and the order of what is worse. Invariant: an environment that pays nothing or starves is not told again for its
 * failures, its locked tasks or its drift. Cost: O(environments + recent groups); 1.8 ms at 1,200 tasks in 40 environments, the engine's
 * view and the facts included.
 * False alarms, measured in testbed worlds without troubles, 20 seeds and 60 batches each, target .3: none with six environments and
 * none with twelve. With the engine before competing models, in eight such worlds (six, twelve and forty environments, every tenth rollout
 * lost, fast and slow learning, groups of 4, graded): one waste alarm in 160 runs. Over 150 batches (30 runs): waste in 7, where
 * little was left to learn, variance that never falls in 2 that learnt very slowly, forgetting in 1 before its spans had 16 groups.
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

const KINDS: readonly Alarm['kind'][] = [
  'contract',
  'starved',
  'forgetting',
  'failures',
  'noisy_verifier',
  'self_lock',
  'drift',
  'waste',
]

/** Worst first, as the rules ring them; a kind that is not of an environment comes last. */
export function inRuleOrder(rings: readonly Ring[]): Ring[] {
  const place = ({ kind }: Ring) => (KINDS.includes(kind) ? KINDS.indexOf(kind) : KINDS.length)
  return [...rings].sort((a, b) => place(a) - place(b))
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
