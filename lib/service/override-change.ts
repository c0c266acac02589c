/**
 * From a person's instruction (server ids) to the engine's change (indices), with the words for before and after.
 */
import type { OverrideInput } from '@/lib/contract/steering'
import type { OverrideChange } from '@/lib/engine/log-entry'
import type { DraftChange } from '@/lib/engine/scheduler'
import type { SchedulerView } from '@/lib/engine/view'
import { type Catalog, environmentByIdIn, taskByIdIn } from './catalog'
import { numberOf, requireNumber } from './ids'
import { percent } from './read-overrides'

export function engineChange(catalog: Catalog, input: OverrideInput): DraftChange {
  const batches = 'batches' in input ? (input.batches ?? null) : null
  return { change: changeOf(catalog, input), batches }
}

function changeOf(catalog: Catalog, input: OverrideInput): OverrideChange {
  switch (input.kind) {
    case 'weight':
      return { kind: 'weight', name: input.target, value: input.value }
    case 'uniform_share':
      return { kind: 'uniform_share', value: input.value }
    case 'group_sizing':
      return { kind: 'group_sizing', value: input.value }
    case 'quota':
      return {
        kind: 'quota',
        environment: environmentByIdIn(catalog, input.target),
        lower: input.lower,
        upper: input.upper,
      }
    case 'pause':
      return { kind: 'pause', environment: environmentByIdIn(catalog, input.target), mode: input.mode }
    case 'resume':
      return { kind: 'resume', environment: environmentByIdIn(catalog, input.target) }
    case 'pin':
      return { kind: 'pin', task: taskByIdIn(catalog, input.target) }
    case 'ban':
      return { kind: 'ban', task: taskByIdIn(catalog, input.target) }
    case 'boost':
      return numberOf('environment', input.target) === null
        ? { kind: 'boost', task: taskByIdIn(catalog, input.target), environment: null, factor: input.factor }
        : { kind: 'boost', task: null, environment: environmentByIdIn(catalog, input.target), factor: input.factor }
    case 'lift':
      return { kind: 'lift', override: requireNumber('override', input.target) }
  }
}

/** The value that a change replaces and the one that it sets, as shown in the history. */
export function beforeAndAfter(change: OverrideChange, view: SchedulerView): { before: string; after: string } {
  switch (change.kind) {
    case 'weight':
      return { before: String(view.config.weights[change.name]), after: String(change.value) }
    case 'uniform_share':
      return { before: percent(view.config.uniformShare), after: percent(change.value) }
    case 'group_sizing':
      return { before: view.config.groupSizing, after: change.value }
    case 'quota': {
      const now = view.environments[change.environment]?.quota ?? { lower: 0, upper: 1 }
      const changed = (['lower', 'upper'] as const).filter((bound) => Math.abs(now[bound] - change[bound]) > 1e-9)
      const said = changed.length === 0 ? (['lower', 'upper'] as const) : changed
      const words = (quota: { lower: number; upper: number }) =>
        said.map((bound) => `${bound} ${percent(quota[bound])}`).join(', ')
      return { before: words(now), after: words(change) }
    }
    case 'pause': {
      return { before: view.environments[change.environment]?.pause ?? 'run', after: change.mode }
    }
    case 'resume':
      return { before: view.environments[change.environment]?.pause ?? 'run', after: 'run' }
    case 'pin':
      return { before: 'by score', after: 'in every batch' }
    case 'ban':
      return { before: 'by score', after: 'in no batch' }
    case 'boost': {
      const now = change.task === null ? boostOf(view, change.environment) : view.tasks.boost[change.task]
      return { before: `${now ?? 1} times`, after: `${change.factor} times` }
    }
    case 'lift':
      return { before: 'in force', after: 'lifted' }
  }
}

/** The boost of a whole environment in force, 1 = none. */
export function boostOf(view: SchedulerView, environment: number | null): number {
  return view.overrides.reduce(
    (boost, { change }) =>
      change.kind === 'boost' && change.task === null && change.environment === environment ? change.factor : boost,
    1,
  )
}
