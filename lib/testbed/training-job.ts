/**
 * One unit of the training bench: the target of a seed, or one arm on one seed, with what is kept of it.
 * Owns: how world, seeds, stages and rate become a training, and what is stored of the result. Must never know: files, clocks, processes.
 * Invariant: the same job gives the same record. The world, the policy and the draws of a seed are the same for every arm (paired);
 * informative share counts the first rollouts of a group, as many as the first stage has, in every arm.
 */
import { armsNamed } from '@/lib/testbed/arms'
import { uniform } from '@/lib/testbed/schedulers/uniform'
import { train } from '@/lib/testbed/training'
import { makeWorld } from '@/lib/testbed/worlds'

export interface BenchSettings {
  steps: number
  /** halves: of the world's group size */
  stages: readonly [number, number] | 'single' | 'halves'
  /** null: the world's own learning rate */
  rate: number | null
}

export interface TargetJob {
  kind: 'target'
  world: string
  seed: number
  settings: BenchSettings
}

export interface ArmJob {
  kind: 'arm'
  world: string
  seed: number
  settings: BenchSettings
  arm: string
  target: number
}

export type BenchJob = TargetJob | ArmJob

export interface TargetRecord {
  world: string
  seed: number
  /** best held-out score of uniform choice with single-stage groups, its start included */
  target: number
  /** of those full groups: what the world leaves informative */
  informativeShare: number
}

export interface ArmRecord {
  world: string
  arm: string
  seed: number
  /** first step that reaches the target, null = never */
  stepsToTarget: number | null
  /** seconds of all rollouts up to that step, or of the whole training where it is never reached; null in older files */
  rolloutSeconds: number | null
  /** mean score over all steps after the start */
  area: number
  end: number
  /** mean score of the worst tenth of environments at the end */
  worstTenth: number
  /** lowest share of its peak that a once solved environment has at the end, null = none was solved */
  lowestOnceSolved: number | null
  informativeShare: number
  /** score before training and after every CURVE_EVERY-th step, rounded to 5 digits */
  curve: number[]
}

export const CURVE_EVERY = 5

/** First step whose score is at least `target`, or null. */
export function stepsToTarget(curve: readonly number[], target: number): number | null {
  const step = curve.findIndex((score) => score >= target)
  return step < 0 ? null : step
}

/** Sizes of the two stages of a world's groups, null = one stage. */
export function stagesOf(settings: BenchSettings, groupSize: number): readonly [number, number] | null {
  if (settings.stages === 'single') return null
  if (settings.stages !== 'halves') return settings.stages
  const half = Math.floor(groupSize / 2)
  return [half, groupSize - half]
}

export function runTarget({ world: name, seed, settings }: TargetJob): TargetRecord {
  const world = makeWorld(name, seed)
  const rate = settings.rate ?? world.training.learningRate
  const { curve, informativeShare } = train(world, uniform, {
    ...seedsOf(seed),
    steps: settings.steps,
    learningRate: rate,
    stages: null,
    filtered: false,
  })
  return { world: name, seed, target: Math.max(...curve), informativeShare }
}

/** @throws RangeError naming an unknown arm or world. */
export function runArm({ world: name, seed, settings, arm: armName, target }: ArmJob): ArmRecord {
  const [arm] = armsNamed(armName)
  if (arm === undefined) throw new RangeError(`no arm is called ${armName}`)
  const world = makeWorld(name, seed)
  const stages = stagesOf(settings, world.training.groupSize)
  const { curve, seconds, worstTenth, lowestOnceSolved, informativeShare } = train(world, arm.make, {
    ...seedsOf(seed),
    steps: settings.steps,
    learningRate: settings.rate ?? world.training.learningRate,
    stages: arm.singleStage ? null : stages,
    filtered: arm.filtered,
    informativeSize: stages?.[0] ?? world.training.groupSize,
  })
  const reached = stepsToTarget(curve, target)
  return {
    world: name,
    arm: armName,
    seed,
    stepsToTarget: reached,
    rolloutSeconds: Math.round(seconds[reached ?? settings.steps] ?? 0),
    area: curve.slice(1).reduce((sum, score) => sum + score, 0) / settings.steps,
    end: curve[settings.steps] ?? 0,
    worstTenth,
    lowestOnceSolved,
    informativeShare,
    curve: curve.filter((_, step) => step % CURVE_EVERY === 0).map((score) => Math.round(score * 1e5) / 1e5),
  }
}

const seedsOf = (seed: number) => ({ seed: seed + 50, policySeed: seed + 1000 })
