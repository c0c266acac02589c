/**
 * The settings of a run in words, as it was started, and what a person changed of them since. Pure.
 * Owns: the names of settings in Compare. Invariant: a change names a setting of the list.
 */
import type { ComparedRun } from '@/lib/contract/comparison'
import type { RunConfig } from '@/lib/contract/run'
import { WEIGHTS, type WeightName } from '@/lib/engine/config'
import type { OverrideChange } from '@/lib/engine/log-entry'
import type { OverrideRow } from '@/lib/store/override'
import type { RunRow } from '@/lib/store/run'
import { type Catalog, environmentAt, taskAt } from './catalog'
import { percent } from './read-overrides'

type Settings = ComparedRun['settings']
type Changes = ComparedRun['changes']

const WEIGHT_NAMES: Record<WeightName, string> = {
  exploitation: 'exploitation weight',
  coverage: 'coverage weight',
  similarity: 'similarity penalty',
  recency: 'recency weight',
  headroom: 'headroom',
  cost: 'cost weight',
}

const UNIFORM: Record<RunConfig['scheduler'], string | null> = {
  envsched: null,
  'env-then-task-protected': null,
  uniform: 'all slots',
  'env-then-task': 'no slot',
  'env-bandit': 'no slot',
}

/** `batch`: size and group size of the newest batch, null before the first. */
export function settingsOf(
  run: Pick<RunRow, 'mode' | 'seed' | 'model' | 'algorithm'>,
  config: RunConfig,
  catalog: Catalog,
  batch: { size: number; groupSize: number } | null,
): Settings {
  const shadow = run.mode === 'shadow'
  const weighs = config.scheduler === 'envsched' && !shadow
  const rows: [string, string][] = [
    ['scheduler', shadow ? 'the trainer' : config.scheduler],
    ['seed', run.seed],
    ['task set', catalog.name],
    ['model', run.model ?? 'not said'],
    ['algorithm', run.algorithm ?? 'not said'],
    ['picks a batch', batch === null ? 'no batch yet' : String(batch.size)],
    ['rollouts a group', batch === null ? 'no batch yet' : String(batch.groupSize)],
    ...WEIGHTS.map((name): [string, string] => [WEIGHT_NAMES[name], weighs ? String(config.weights[name]) : 'n/a']),
    ['uniform share', shadow ? 'n/a' : (UNIFORM[config.scheduler] ?? percent(config.uniformShare))],
    ['group sizes', config.groupSizing],
    ['quota window', config.windowPicks === null ? 'ten batches' : `${config.windowPicks} picks`],
    ['lease time', config.leaseSeconds === null ? 'ten median steps' : `${config.leaseSeconds} s`],
    ['target', percent(config.target)],
    ['paused', 'never'],
    ['pinned', 'none'],
    ['banned', 'none'],
    ['boosted', 'none'],
  ]
  for (const { key, code } of catalog.environments) {
    const quota = Object.hasOwn(config.quotas, key) ? config.quotas[key] : undefined
    rows.push([`${code} lower quota`, quota === undefined || quota.lower <= 0 ? 'none' : percent(quota.lower)])
    rows.push([`${code} upper quota`, quota === undefined || quota.upper >= 1 ? 'none' : percent(quota.upper)])
  }
  return rows.map(([name, value]) => ({ name, value }))
}

/** Oldest first. An undone or expired change has its end; one that a later value replaces is followed by that value. */
export function changesOf(catalog: Catalog, rows: readonly OverrideRow<OverrideChange>[]): Changes {
  return rows
    .filter((row) => !row.superseded)
    .flatMap((row) =>
      settingsSet(catalog, row.change).map(({ setting, value }) => ({
        setting,
        value,
        from: row.fromBatch,
        until: endOf(row, rows),
        author: row.author,
      })),
    )
}

function endOf(row: OverrideRow<OverrideChange>, rows: readonly OverrideRow<OverrideChange>[]): number | null {
  const { change } = row
  const ends = [
    rows.find((other) => other.number === row.undoneBy)?.fromBatch,
    row.batches === null ? undefined : row.fromBatch + row.batches,
    change.kind !== 'pause'
      ? undefined
      : rows.find(
          (other) =>
            other.number > row.number &&
            other.change.kind === 'resume' &&
            other.change.environment === change.environment,
        )?.fromBatch,
  ].filter((end) => end !== undefined)
  return ends.length === 0 ? null : Math.min(...ends)
}

function settingsSet(catalog: Catalog, change: OverrideChange): { setting: string; value: string }[] {
  const codeOf = (environment: number) => environmentAt(catalog, environment).code
  switch (change.kind) {
    case 'weight':
      return [{ setting: WEIGHT_NAMES[change.name], value: String(change.value) }]
    case 'uniform_share':
      return [{ setting: 'uniform share', value: percent(change.value) }]
    case 'group_sizing':
      return [{ setting: 'group sizes', value: change.value }]
    case 'quota': {
      const code = codeOf(change.environment)
      return [
        { setting: `${code} lower quota`, value: change.lower <= 0 ? 'none' : percent(change.lower) },
        { setting: `${code} upper quota`, value: change.upper >= 1 ? 'none' : percent(change.upper) },
      ]
    }
    case 'pause':
      return [{ setting: 'paused', value: codeOf(change.environment) }]
    case 'pin':
      return [{ setting: 'pinned', value: taskAt(catalog, change.task).key }]
    case 'ban':
      return [{ setting: 'banned', value: taskAt(catalog, change.task).key }]
    case 'boost': {
      const name = change.task === null ? codeOf(change.environment ?? -1) : taskAt(catalog, change.task).key
      return [{ setting: 'boosted', value: `${name} ${change.factor} times` }]
    }
    case 'resume':
    case 'lift':
      return []
  }
}
