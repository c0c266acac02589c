/**
 * The trainer's own evaluation, drawn beside: training reward alone cannot say whether it learns.
 */
import { scoreInput } from '@/lib/contract/rollout'
import { announceRun } from '@/lib/store/announce'
import { putScore } from '@/lib/store/score'
import { requireRun } from './open-run'
import type { Runtime } from './runtime'
import { invalid } from './service-error'

/** Safe to repeat: the newest value of a name at a policy version stands. */
export async function recordScore(
  runtime: Runtime,
  runId: string,
  body: unknown,
  now: number,
): Promise<{ stored: true }> {
  const parsed = scoreInput.safeParse(body)
  if (!parsed.success) throw invalid('score', parsed.error.issues)
  await requireRun(runtime, runId)
  await runtime.database.transaction(async (tx) => {
    await putScore(tx, runId, { ...parsed.data, at: now })
    await announceRun(tx, runId)
  })
  return { stored: true }
}
