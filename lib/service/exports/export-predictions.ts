/**
 * Predictions made before each group was absorbed beside what was realised, in the order they were absorbed: flat rows.
 */
import { taskAt } from '@/lib/service/catalog'
import { requireRun } from '@/lib/service/open-run'
import { historyOf } from '@/lib/service/run-history'
import type { Runtime } from '@/lib/service/runtime'

export async function* exportPredictions(runtime: Runtime, runId: string): AsyncGenerator<object> {
  const { run, catalog } = await requireRun(runtime, runId)
  const history = await historyOf(runtime, run)
  for (const number of history.absorbed) {
    const group = history.groups.get(number)
    if (group === undefined || group.predictedVariance === null) continue
    const task = taskAt(catalog, group.task)
    yield {
      group: group.number,
      batch: group.batch,
      policyVersion: group.policyVersion,
      slot: group.slot,
      environment: task.environment.key,
      task: task.key,
      late: group.late,
      ability: group.ability,
      predictedVariance: group.predictedVariance,
      deviation: group.deviation,
      spread: group.spread,
      predictedInformative: group.informativeProbability,
      rollouts: group.returned,
      trusted: group.trusted,
      mean: group.mean,
      realisedVariance: group.realisedVariance,
      informative: group.informative,
    }
  }
}
