/**
 * Who predicts a group before it is told: EnvSched in the variants of the bench, and the simple shadows it must beat.
 * Owns: the interface and the running averages, with the constants of the env-then-task average (prior mass 4 an environment and 1.5 a
 * task, decays .95 and .9 a step, global .98; a group weighs (n - 1) / 2). Each average holds variance and informativeness apart.
 * Invariant: a predictor is asked before it is told, and told what was asked.
 */
import type { ReplayGroup } from '@/lib/testbed/replay/ladder'
import type { Forecast } from '@/lib/testbed/schedulers/envsched'

export interface Told {
  task: number
  group: ReplayGroup
}

export interface Predictor {
  /** `sizes`: rollouts of each group that is to come */
  forecast(step: number, tasks: readonly number[], sizes: readonly number[]): Forecast[]
  absorb(step: number, told: readonly Told[]): void
}

export const AVERAGES = ['global-mean', 'environment-mean', 'task-history'] as const
export type AverageName = (typeof AVERAGES)[number]

const PRIOR = { mass: 4, variance: 0.1, informative: 0.3, environment: 4, task: 1.5 }
const DECAY = { all: 0.98, environment: 0.95, task: 0.9 }

/** Fading sums of what groups were, one entry a task or environment. */
class Means {
  readonly mass: Float64Array
  readonly variance: Float64Array
  readonly informative: Float64Array

  constructor(
    size: number,
    private readonly decay: number,
  ) {
    this.mass = new Float64Array(size)
    this.variance = new Float64Array(size)
    this.informative = new Float64Array(size)
  }

  fade(): void {
    for (const column of [this.mass, this.variance, this.informative])
      for (let i = 0; i < column.length; i++) column[i]! *= this.decay
  }

  add(i: number, group: ReplayGroup): void {
    const weight = (group.rewards.length - 1) / 2
    this.mass[i]! += weight
    this.variance[i]! += weight * group.variance
    this.informative[i]! += weight * (group.informative ? 1 : 0)
  }

  /** Shrunk to `around` as if that had been seen with this mass. */
  at(i: number, around: Forecast, mass: number): Forecast {
    const whole = this.mass[i]! + mass
    return {
      variance: (this.variance[i]! + mass * around.variance) / whole,
      informative: (this.informative[i]! + mass * around.informative) / whole,
    }
  }
}

export function averagePredictor(name: AverageName, environmentOf: Int32Array, environments: number): Predictor {
  const all = new Means(1, DECAY.all)
  const environment = new Means(environments, DECAY.environment)
  const task = new Means(environmentOf.length, DECAY.task)
  const predict = (i: number): Forecast => {
    const everywhere = all.at(0, PRIOR, PRIOR.mass)
    if (name === 'global-mean') return everywhere
    const here = environment.at(environmentOf[i]!, everywhere, PRIOR.environment)
    return name === 'environment-mean' ? here : task.at(i, here, PRIOR.task)
  }
  return {
    forecast: (_step, tasks) => tasks.map(predict),
    absorb: (_step, told) => {
      for (const means of [all, environment, task]) means.fade()
      for (const { task: i, group } of told) {
        all.add(0, group)
        environment.add(environmentOf[i]!, group)
        task.add(i, group)
      }
    },
  }
}
