/* Owns the plain table of runs. */
import type { RunSummary } from '@/lib/contract/run'
import { aheadOfUniform } from './runs-verdict'
import type { TableTwin } from './table-twin'

export function runsTwin(runs: readonly RunSummary[]): TableTwin {
  return {
    name: 'runs',
    columns: [
      'run',
      'status',
      'scheduler',
      'batch',
      'policy',
      'planned steps',
      'informative share',
      'informative share above uniform',
      'reward on the whole set',
      'environments',
      'tasks',
      'rollouts',
      'started',
      'last report',
    ],
    rows: runs.map((run) => [
      run.name,
      run.status,
      run.scheduler,
      run.batch,
      run.policyVersion,
      run.plannedSteps,
      run.informativeShare,
      aheadOfUniform(run),
      run.reward,
      run.environments,
      run.tasks,
      run.rollouts,
      run.createdAt,
      run.lastReportAt,
    ]),
  }
}
