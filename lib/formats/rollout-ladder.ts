/**
 * Rollouts as one policy that improves. Where each row tells its policy version, that is taken; else models ordered by
 * their mean trusted reward are the policy versions 0, 1, 2, …. All trials of one (task, model, version) are one group.
 * Where only some rows tell a version, the others come first and all are numbered anew: no version is made up.
 * Invariant: no reward is made up; rollouts without a usable reward count for no mean and stay in their group.
 * Cost: rollouts lie in the scratch and are read back group by group; memory of a number each, and a key a group.
 */
import type { Distrust, RolloutInput } from '@/lib/contract/rollout'
import { fitting, fitWhole, storable } from './fitting'
import { HeldScratch, type Scratch } from './scratch'

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
  model: string
  /** as the rows tell it; null where they do not */
  version: number | null
  sum: number
  trusted: number
  /** by environment and task: where its rollouts lie */
  groups: Map<string, number[]>
}

const ID_LIMIT = 300

export class RolloutLadder {
  private readonly models = new Map<string, Steps>()
  private readonly distrusted: Partial<Record<Distrust, number>> = {}
  private readonly byEnvironment = new Map<string, number>()
  private readonly byStatus = new Map<string, number>()
  private count = 0

  constructor(private readonly scratch: Scratch = new HeldScratch()) {}

  /** `told`: the policy version that the row tells, null where it tells none. */
  add(model: string, given: Unplaced, told: number | null = null): void {
    const version = fitWhole(told)
    const environment = storable(given.environment)
    const rollout = { ...fitting(given), environment, task: storable(given.task) }
    const rung = JSON.stringify([model, version])
    const steps = this.models.get(rung) ?? { model, version, sum: 0, trusted: 0, groups: new Map() }
    this.models.set(rung, steps)
    const reason = distrustOf(rollout)
    if (reason === null) {
      steps.sum += Number(rollout.reward)
      steps.trusted += 1
    } else this.distrusted[reason] = (this.distrusted[reason] ?? 0) + 1
    const key = JSON.stringify([rollout.environment, rollout.task])
    const place = this.scratch.put(JSON.stringify(rollout))
    const group = steps.groups.get(key)
    if (group === undefined) steps.groups.set(key, [place])
    else group.push(place)
    this.count += 1
    this.byEnvironment.set(rollout.environment, (this.byEnvironment.get(rollout.environment) ?? 0) + 1)
    // a rollout without a usable reward ended well and is still not trusted: it is told by that
    const ended = reason === null || reason === 'status' ? rollout.status : reason
    this.byStatus.set(ended, (this.byStatus.get(ended) ?? 0) + 1)
  }

  get rollouts(): number {
    return this.count
  }

  /** Rollouts by environment key, so far. */
  get environments(): ReadonlyMap<string, number> {
    return this.byEnvironment
  }

  /** Rollouts by status; those that ended without a usable reward by that reason, in a count of their own. */
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
    return this.ordered().map(({ steps, policyVersion }) => ({
      model: steps.model,
      policyVersion,
      meanReward: meanOf(steps),
      groups: steps.groups.size,
    }))
  }

  /** In ladder order; inside a model in the order of the file. */
  *groups(): Generator<RolloutGroup> {
    for (const { steps, policyVersion } of this.ordered()) {
      const { model, version } = steps
      const of = version === null ? model : `${model}@${version}`
      for (const group of steps.groups.values()) {
        const rollouts = group.map((place, trial) => {
          const rollout = JSON.parse(this.scratch.get(place)) as Unplaced
          return { ...rollout, id: rolloutId(rollout.environment, rollout.task, of, trial), policyVersion }
        })
        yield { model, policyVersion, rollouts }
      }
    }
  }

  private ordered(): { steps: Steps; policyVersion: number }[] {
    const all = [...this.models.values()].sort(inOrder)
    return all.map((steps, rank) => ({
      steps,
      policyVersion: all[0]?.version === null ? rank : (steps.version ?? rank),
    }))
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
  const id = storable(`${model}/${environment}/${task}/${trial}`)
  return id.length <= ID_LIMIT
    ? id
    : `${id.slice(0, ID_LIMIT - 17).replace(/\p{Surrogate}$/u, '')}#${hash(id, 1)}${hash(id, 2)}`
}

function hash(text: string, seed: number): string {
  let value = 0x811c9dc5 ^ seed
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193 + seed * 2)
  return (value >>> 0).toString(16).padStart(8, '0')
}

/** Those without a told version first, by their mean; then by version. */
function inOrder(x: Steps, y: Steps): number {
  const byVersion = (x.version ?? -1) - (y.version ?? -1)
  return byVersion === 0 ? byMean(meanOf(x), meanOf(y), x.model < y.model ? -1 : 1) : byVersion
}

/** Models without a trusted reward come first; equal means go by name. */
function byMean(x: number | null, y: number | null, byName: number): number {
  if (x === y) return byName
  if (x === null) return -1
  return y === null ? 1 : x - y
}
