/**
 * What an error text of a foreign file says about its rollout.
 * An infrastructure failure is not a failure of the policy: files often write reward 0 beside it.
 * Invariant: an unknown error changes nothing; many files put the verifier's complaint about the answer there.
 */
import type { RolloutStatus } from '@/lib/contract/rollout'

const INFRASTRUCTURE =
  /traceback|infra|connection|timed? ?out|rate.?limit|invalidrequest|api.?error|service.?unavailable|internal.?server|unexpected_error|user_error|out of memory|sandbox/i
const VERIFIER = /verifier.?(error|fail|crash)|grader.?(error|fail|crash)|judge.?(error|fail|crash)/i
const TRUNCATED = /max.?(steps|turns|tokens|length)|context.?(window|length)|truncat|length.?limit|too.?long/i
const CANCELLED = /cancell?ed|aborted/i

export function errorStatus(error: string | null): RolloutStatus {
  if (error === null) return 'ok'
  if (VERIFIER.test(error)) return 'verifier_error'
  if (INFRASTRUCTURE.test(error)) return 'infra_error'
  if (TRUNCATED.test(error)) return 'truncated'
  if (CANCELLED.test(error)) return 'cancelled'
  return 'ok'
}
