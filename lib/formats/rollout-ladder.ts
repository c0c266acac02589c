/**
 * Rollouts of several models as one policy that improves: models ordered by their mean trusted reward are the policy
 * versions 0, 1, 2, …; all trials of one (task, model) are one group.
 * Invariant: no reward is made up; rollouts without a usable reward count for no mean and stay in their group.
 * Cost: holds all rollouts of the import, some 300 bytes each besides their messages.
 */
import type { Distrust, RolloutInput } from '@/lib/contract/rollout'

export interface RolloutGroup {
  model: string
  policyVersion: number
  rollouts: RolloutInput[]
}

export interface LadderStep {
  model: string
  policyVersion: number
  /** null where no rollout of the model can be trusted */
  meanReward: number | null
  groups: number
}

type Unplaced = Omit<RolloutInput, 'id' | 'policyVersion'> & { environment: string; task: string }

interface Steps {
  sum: number
  trusted: number
  groups: Map<string, Unplaced[]>
}

const ID_LIMIT = 300

export class RolloutLadder {
  private readonly models = new Map<string, Steps>()
  private readonly distrusted: Partial<Record<Distrust, number>> = {}
  private readonly byEnvironment = new Map<string, number>()
  private readonly byStatus = new Map<string, number>()
  private count = 0

  add(model: string, rollout: Unplaced): void {
    const steps = this.models.get(model) ?? { sum: 0, trusted: 0, groups: new Map() }
    this.models.set(model, steps)
    const reason = distrustOf(rollout)
    if (reason === null) {
      steps.sum += Number(rollout.reward)
      steps.trusted += 1
    } else this.distrusted[reason] = (this.distrusted[reason] ?? 0) + 1
    const key = JSON.stringify([rollout.environment, rollout.task])
    const group = steps.groups.get(key)
    if (group === undefined) steps.groups.set(key, [rollout])
    else group.push(rollout)
    this.count += 1
    this.byEnvironment.set(rollout.environment, (this.byEnvironment.get(rollout.environment) ?? 0) + 1)
    this.byStatus.set(rollout.status, (this.byStatus.get(rollout.status) ?? 0) + 1)
  }

  get rollouts(): number {
    return this.count
  }

  /** Rollouts by environment key and by status, so far. */
  get environments(): ReadonlyMap<string, number> {
    return this.byEnvironment
  }

  get statuses(): Record<string, number> {
    return Object.fromEntries(this.byStatus)
  }

  /** How many groups there are of each size. */
  groupSizes(): Map<number, number> {
    const sizes = new Map<number, number>()
    for (const { groups } of this.models.values())
      for (const { length } of groups.values()) sizes.set(length, (sizes.get(length) ?? 0) + 1)
    return sizes
  }

  /** Stored but out of the statistics, by reason, as far as the file alone tells. */
  get untrusted(): Record<string, number> {
    return { ...this.distrusted }
  }

  steps(): LadderStep[] {
    return this.ordered().map(([model, steps], policyVersion) => ({
      model,
      policyVersion,
      meanReward: meanOf(steps),
      groups: steps.groups.size,
    }))
  }

  /** In ladder order; inside a model in the order of the file. */
  *groups(): Generator<RolloutGroup> {
    for (const [policyVersion, [model, steps]] of this.ordered().entries()) {
      for (const group of steps.groups.values()) {
        const rollouts = group.map((rollout, trial) => ({
          ...rollout,
          id: rolloutId(rollout.environment, rollout.task, model, trial),
          policyVersion,
        }))
        yield { model, policyVersion, rollouts }
      }
    }
  }

  private ordered(): [string, Steps][] {
    return [...this.models].sort(([a, x], [b, y]) => byMean(meanOf(x), meanOf(y), a < b ? -1 : 1))
  }
}

function meanOf(steps: Steps): number | null {
  return steps.trusted === 0 ? null : steps.sum / steps.trusted
}

function distrustOf(rollout: Unplaced): Distrust | null {
  if (rollout.status !== 'ok' && rollout.status !== 'truncated') return 'status'
  const { reward } = rollout
  if (reward === null || reward === undefined) return 'reward_missing'
  if (typeof reward === 'boolean') return null
  return typeof reward === 'number' && Number.isFinite(reward) ? null : 'reward_invalid'
}

/** Readable and unique; a long one keeps its beginning and gets a hash of the whole. */
function rolloutId(environment: string, task: string, model: string, trial: number): string {
  const id = `${model}/${environment}/${task}/${trial}`
  return id.length <= ID_LIMIT ? id : `${id.slice(0, ID_LIMIT - 17)}#${hash(id, 1)}${hash(id, 2)}`
}

function hash(text: string, seed: number): string {
  let value = 0x811c9dc5 ^ seed
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193 + seed * 2)
  return (value >>> 0).toString(16).padStart(8, '0')
}

/** Models without a trusted reward come first; equal means go by name. */
function byMean(x: number | null, y: number | null, byName: number): number {
  if (x === y) return byName
  if (x === null) return -1
  return y === null ? 1 : x - y
}
