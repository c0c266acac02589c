/**
 * Between the configuration at the boundary (quotas by environment key) and the engine's (by index). Refuses the impossible.
 */
import { type RunConfig, runConfig } from '@/lib/contract/run'
import type { SchedulerConfig } from '@/lib/engine/config'
import { configIssues } from '@/lib/engine/issues'
import type { Catalog } from './catalog'
import { type Issue, ServiceError } from './service-error'

export function engineConfig(catalog: Catalog, config: RunConfig): SchedulerConfig {
  const issues: Issue[] = []
  const quotas = catalog.environments.map(({ key }) =>
    // a key may be "__proto__" or "constructor"
    Object.hasOwn(config.quotas, key) ? (config.quotas[key] ?? null) : null,
  )
  for (const key of Object.keys(config.quotas)) {
    if (!catalog.environments.some((environment) => environment.key === key))
      issues.push({ path: `config.quotas.${key}`, message: 'is no environment of this task set' })
  }
  const { scheduler, weights, uniformShare, groupSizing, windowPicks, target } = config
  const made: SchedulerConfig = { scheduler, weights, uniformShare, groupSizing, quotas, windowPicks, target }
  for (const issue of configIssues(made)) issues.push({ path: `config.${issue.path}`, message: issue.message })
  const first = issues[0]
  if (first !== undefined)
    throw new ServiceError(
      422,
      'invalid',
      `The configuration cannot be used: ${first.path}: ${first.message.replace(/\.$/, '')}.`,
      issues,
    )
  return made
}

export const parseStoredConfig = (stored: unknown): RunConfig => runConfig.parse(stored)
