/* Owns a run's configuration as rows to read and as JSON to copy. Invariant: as it was started; what was changed since is on Steering. */
import type { RunDetail } from '@/lib/contract/run'
import { formatCount, formatFixed, formatNumber, formatSpan } from './format'

export interface ConfigRow {
  name: string
  value: string
}

/** What POST /runs takes to start the same again. */
export function configJson(run: RunDetail): string {
  const { name, key, mode, seed, model, algorithm, plannedSteps, config, taskSetSummary } = run
  const { id, name: set, fingerprint } = taskSetSummary
  return JSON.stringify(
    { name, key, mode, seed, model, algorithm, plannedSteps, taskSet: { id, name: set, fingerprint }, config },
    null,
    2,
  )
}

export function configRows(run: RunDetail): ConfigRow[] {
  const { config } = run
  const weights = Object.entries(config.weights).map(([name, value]) => `${name} ${value}`)
  const quotas = Object.keys(config.quotas).length
  return [
    { name: 'scheduler', value: config.scheduler },
    { name: 'seed', value: run.seed },
    { name: 'mode', value: run.mode === 'shadow' ? 'shadow: the trainer chooses, and only reports' : 'choose' },
    { name: 'key', value: run.key ?? 'none: each start makes a new run' },
    { name: 'weights', value: weights.join(', ') },
    { name: 'uniform share', value: formatNumber('share', config.uniformShare, 'n/a') },
    { name: 'group sizes', value: config.groupSizing },
    { name: 'quotas', value: quotas === 0 ? 'none' : formatCount(quotas, 'environment') },
    {
      name: 'quota window',
      value: config.windowPicks === null ? 'ten typical batches' : formatCount(config.windowPicks, 'pick'),
    },
    {
      name: 'lease seconds',
      value:
        config.leaseSeconds === null
          ? 'ten median steps, an hour at least'
          : `${formatFixed(config.leaseSeconds, 0)} (${formatSpan(config.leaseSeconds)})`,
    },
    { name: 'target', value: formatNumber('share', config.target, 'n/a') },
    { name: 'planned steps', value: run.plannedSteps === null ? 'not said' : formatFixed(run.plannedSteps, 0) },
    { name: 'task set', value: `${run.taskSetSummary.name}, ${run.taskSetSummary.fingerprint.slice(0, 12)}` },
  ]
}
