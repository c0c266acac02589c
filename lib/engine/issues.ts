/**
 * What is refused: settings that no circumstance could satisfy. Owns: the checks, each with its path and one sentence.
 * Must never know: what is merely hard today; that is relaxed and said in a batch's notes.
 * Invariant: without issues a configuration or change can be scheduled with.
 */
import { GROUP_SIZINGS, type Quota, SCHEDULERS, type SchedulerConfig, WEIGHT_RANGES, WEIGHTS } from './config'
import type { OverrideChange } from './log-entry'

export interface Issue {
  path: string
  message: string
}

const BOOST = { low: 0, high: 4 }
const percent = (share: number) => `${Math.round(1000 * share) / 10} %`

function outside(path: string, value: number, low: number, high: number): Issue[] {
  if (value >= low && value <= high) return []
  return [{ path, message: `${path} is ${value}; give a number from ${low} to ${high}.` }]
}

/** Issues of all quotas together, by environment. `null` = [0, 1]. */
export function quotaIssues(quotas: readonly (Quota | null)[]): Issue[] {
  const issues: Issue[] = []
  let lower = 0
  let upper = 0
  quotas.forEach((quota, e) => {
    if (quota === null) {
      upper += 1
      return
    }
    const before = issues.length
    issues.push(...outside(`quotas.${e}.lower`, quota.lower, 0, 1), ...outside(`quotas.${e}.upper`, quota.upper, 0, 1))
    if (issues.length === before && quota.lower > quota.upper)
      issues.push({
        path: `quotas.${e}`,
        message: `The lower quota ${percent(quota.lower)} is over the upper quota ${percent(quota.upper)}; lower one or raise the other.`,
      })
    lower += quota.lower
    upper += quota.upper
  })
  if (issues.length > 0) return issues
  if (lower > 1 + 1e-9)
    issues.push({
      path: 'quotas',
      message: `Lower quotas come to ${percent(lower)}; bring their sum to 100 % or less.`,
    })
  if (quotas.length > 0 && upper < 1 - 1e-9)
    issues.push({
      path: 'quotas',
      message: `Upper quotas come to ${percent(upper)}; raise their sum to 100 % or more.`,
    })
  return issues
}

function sizingIssues(path: string, value: string, scheduler: string): Issue[] {
  if (!GROUP_SIZINGS.some((sizing) => sizing === value))
    return [{ path, message: `${path} is "${value}"; choose one of ${GROUP_SIZINGS.join(', ')}.` }]
  if (value === 'fixed' || scheduler === 'envsched') return []
  return [
    { path, message: `${path} adaptive needs the scheduler envsched; ${scheduler} gives every pick the same size.` },
  ]
}

export function configIssues(config: SchedulerConfig): Issue[] {
  const issues: Issue[] = []
  if (!SCHEDULERS.includes(config.scheduler))
    issues.push({
      path: 'scheduler',
      message: `scheduler is "${config.scheduler}"; choose one of ${SCHEDULERS.join(', ')}.`,
    })
  issues.push(...sizingIssues('groupSizing', config.groupSizing, config.scheduler))
  for (const name of WEIGHTS)
    issues.push(...outside(`weights.${name}`, config.weights[name], WEIGHT_RANGES[name].low, WEIGHT_RANGES[name].high))
  issues.push(...outside('uniformShare', config.uniformShare, 0, 1), ...outside('target', config.target, 0, 1))
  const length = config.windowPicks
  if (length !== null && !(Number.isInteger(length) && length >= 1 && length <= 1e6))
    issues.push({
      path: 'windowPicks',
      message: `windowPicks is ${length}; give a whole number from 1 to 1000000, or null.`,
    })
  return [...issues, ...quotaIssues(config.quotas)]
}

/** What a change is checked against: sizes, and the quotas in force. */
export interface ChangeGround {
  tasks: number
  environments: number
  scheduler: string
  quotas: readonly (Quota | null)[]
  /** numbers of overrides that can be lifted */
  overrides: readonly number[]
}

function unknownIndex(path: string, value: number, count: number): Issue[] {
  if (Number.isInteger(value) && value >= 0 && value < count) return []
  return [{ path, message: `There is no ${path} ${value}; choose one of ${count}.` }]
}

export function changeIssues(change: OverrideChange, ground: ChangeGround): Issue[] {
  switch (change.kind) {
    case 'weight': {
      const range = WEIGHT_RANGES[change.name]
      return outside(change.name, change.value, range.low, range.high)
    }
    case 'uniform_share':
      return outside('uniform_share', change.value, 0, 1)
    case 'group_sizing':
      return sizingIssues('group_sizing', change.value, ground.scheduler)
    case 'quota': {
      const missing = unknownIndex('environment', change.environment, ground.environments)
      if (missing.length > 0) return missing
      const quotas = Array.from({ length: ground.environments }, (_, e) => ground.quotas[e] ?? null)
      quotas[change.environment] = { lower: change.lower, upper: change.upper }
      return quotaIssues(quotas)
    }
    case 'pause':
    case 'resume':
      return unknownIndex('environment', change.environment, ground.environments)
    case 'pin':
    case 'ban':
      return unknownIndex('task', change.task, ground.tasks)
    case 'boost': {
      const issues = outside('factor', change.factor, BOOST.low, BOOST.high)
      if (change.task !== null) issues.push(...unknownIndex('task', change.task, ground.tasks))
      if (change.environment !== null)
        issues.push(...unknownIndex('environment', change.environment, ground.environments))
      if (change.task === null && change.environment === null)
        issues.push({ path: 'task', message: 'A boost needs a task or an environment; name one.' })
      return issues
    }
    case 'lift':
      if (ground.overrides.includes(change.override)) return []
      return [{ path: 'override', message: `Override ${change.override} is not in force; nothing is lifted.` }]
  }
}
