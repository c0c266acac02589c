/**
 * One arm, one seed: the scheduler picks among the groups of the current model and is told only what it picked.
 * Owns: the loop, what was taken, and refreshing the graph from told rollouts (tools are learnt: a fifth of the run apart, the log is
 * folded again on a graph that holds the tools of the groups told so far; a group that was not told gives nothing away).
 * Invariants: a group is told once; a forecast is made before its group is told; the same seed gives the same picks.
 * `watch` is the honest sample: groups drawn uniformly, which every predictor forecasts and then absorbs.
 */
import { mixSeed, seededRandom, shuffle } from '@/lib/testbed/random'
import type { ReplayGroup, ReplayLadder } from '@/lib/testbed/replay/ladder'
import type { Scored } from '@/lib/testbed/replay/prediction-score'
import { AVERAGES, averagePredictor, type Predictor, type Told } from '@/lib/testbed/replay/predictors'
import { ENGINE_VARIANTS, hasStructure, type ReplayArm } from '@/lib/testbed/replay/replay-arms'
import type { ReplayStep } from '@/lib/testbed/replay/replay-plan'
import { replaySet, toldGroup } from '@/lib/testbed/replay/replay-set'
import { type Scheduler, type SchedulerInput, schedulerInput } from '@/lib/testbed/scheduler'
import { type EnvschedScheduler, envsched, type Forecast } from '@/lib/testbed/schedulers/envsched'

export interface SlotCount {
  picks: number
  informative: number
}

export interface ReplayRun {
  picks: number
  informative: number
  /** mean realised variance of what was picked */
  meanVariance: number
  environmentsSeen: number
  tasksSeen: number
  /** by kind of slot; null for schedulers without slots */
  slots: { score: SlotCount; uniform: SlotCount } | null
  /** what EnvSched forecast of its own picks; empty for the others */
  scored: Scored[]
}

/** The graph is refreshed this many times in a run, evenly. */
const REFRESHES = 4

export function replayInput(ladder: ReplayLadder, picks: number, seed: number): SchedulerInput {
  const sizes = { batchSize: picks, groupSize: ladder.groupSize }
  return schedulerInput(replaySet(ladder, new Map()), sizes, seededRandom(mixSeed(seed, 1)), seed)
}

/** Which groups are on offer: those of the rung that were not taken on it. */
class Offer {
  readonly open: Uint8Array
  private rung = -1

  constructor(private readonly ladder: ReplayLadder) {
    this.open = new Uint8Array(ladder.tasks.length)
  }

  enter(rung: number): void {
    if (rung === this.rung) return
    this.rung = rung
    this.ladder.rungs[rung]!.groups.forEach((group, task) => {
      this.open[task] = group === null ? 0 : 1
    })
  }

  take(task: number): ReplayGroup {
    const group = this.ladder.rungs[this.rung]!.groups[task]
    if (this.open[task] !== 1 || group === null || group === undefined)
      throw new RangeError(`Task ${task} is not on offer.`)
    this.open[task] = 0
    return group
  }
}

/** Tools of the rollouts that were told, and when the graph is made anew from them. */
class LearntTools {
  private readonly seen = new Map<number, Set<string>>()
  private readonly every: number

  constructor(
    private readonly ladder: ReplayLadder,
    steps: number,
  ) {
    this.every = Math.max(1, Math.ceil(steps / (REFRESHES + 1)))
  }

  told(told: readonly Told[]): void {
    for (const { task, group } of told) {
      if (group.tools.length === 0) continue
      const tools = this.seen.get(task) ?? new Set<string>()
      for (const tool of group.tools) tools.add(tool)
      this.seen.set(task, tools)
    }
  }

  refresh(position: number, schedulers: readonly EnvschedScheduler[]): void {
    if (!this.ladder.hasTools || position === 0 || position % this.every > 0 || this.seen.size === 0) return
    const set = replaySet(this.ladder, this.seen)
    for (const scheduler of schedulers) scheduler.restructure(set)
  }
}

const isEnvsched = (scheduler: Scheduler): scheduler is EnvschedScheduler => 'forecast' in scheduler

function scoredOf({ variance, informative }: Forecast, group: ReplayGroup): Scored {
  return { variance, informative, realised: group.variance, wasInformative: group.informative }
}

export function replayArm(ladder: ReplayLadder, plan: readonly ReplayStep[], arm: ReplayArm, seed: number): ReplayRun {
  const picks = Math.max(1, ...plan.map((step) => step.picks))
  const scheduler = arm.make(replayInput(ladder, picks, seed), (step) => ladder.rungs[plan[step]!.rung]!.groups)
  const engine = isEnvsched(scheduler) ? scheduler : null
  const offer = new Offer(ladder)
  const tools = new LearntTools(ladder, plan.length)
  const tasks = new Set<number>()
  const environments = new Set<number>()
  const slots = { score: { picks: 0, informative: 0 }, uniform: { picks: 0, informative: 0 } }
  const run = { picks: 0, informative: 0, variance: 0 }
  const scored: Scored[] = []
  plan.forEach(({ rung, picks: count }, step) => {
    if (engine !== null) tools.refresh(step, [engine])
    offer.enter(rung)
    const told = scheduler.next(step, count, offer.open).map((task): Told => ({ task, group: offer.take(task) }))
    for (const { task, group } of told) {
      const forecast = engine?.forecastOf(task) ?? null
      if (forecast !== null) scored.push(scoredOf(forecast, group))
      const won = group.informative ? 1 : 0
      const slot = engine?.slotOf(task) === 'uniform' ? slots.uniform : slots.score
      slot.picks++
      slot.informative += won
      run.picks++
      run.informative += won
      run.variance += group.variance
      tasks.add(task)
      environments.add(ladder.tasks[task]!.environment)
    }
    tools.told(told)
    scheduler.observe(
      step,
      told.map(({ task }) => toldGroup(ladder, rung, task)),
    )
  })
  return {
    picks: run.picks,
    informative: run.informative,
    meanVariance: run.picks > 0 ? run.variance / run.picks : 0,
    environmentsSeen: environments.size,
    tasksSeen: tasks.size,
    slots: engine === null ? null : slots,
    scored,
  }
}

/** What each predictor forecast of the same uniformly drawn groups, and those groups. */
export interface Watched {
  predictors: Record<string, Scored[]>
  groups: ReplayGroup[]
}

function watching(scheduler: EnvschedScheduler, ladder: ReplayLadder, rungOf: (step: number) => number): Predictor {
  return {
    forecast: (step, tasks, sizes) => {
      scheduler.take(step, tasks)
      return scheduler.forecast(tasks, sizes)
    },
    absorb: (step, told) =>
      scheduler.observe(
        step,
        told.map(({ task }) => toldGroup(ladder, rungOf(step), task)),
      ),
  }
}

export function watch(ladder: ReplayLadder, plan: readonly ReplayStep[], seed: number): Watched {
  const picks = Math.max(1, ...plan.map((step) => step.picks))
  const { environmentOf, environments } = replayInput(ladder, picks, seed)
  const rungOf = (step: number) => plan[step]!.rung
  const variants = ENGINE_VARIANTS.filter(({ needsStructure }) => !needsStructure || hasStructure(ladder))
  const engines = variants.map(({ ablation }) =>
    envsched(replayInput(ladder, picks, seed), { ...ablation(seed), keepLog: true }),
  )
  const named: [string, Predictor][] = [
    ...variants.map(({ name }, k): [string, Predictor] => [name, watching(engines[k]!, ladder, rungOf)]),
    ...AVERAGES.map((name): [string, Predictor] => [name, averagePredictor(name, environmentOf, environments)]),
  ]
  const predictors: Record<string, Scored[]> = Object.fromEntries(named.map(([name]) => [name, []]))
  const groups: ReplayGroup[] = []
  const random = seededRandom(mixSeed(seed, 2))
  const offer = new Offer(ladder)
  const tools = new LearntTools(ladder, plan.length)
  plan.forEach(({ rung, picks: count }, step) => {
    tools.refresh(step, engines)
    offer.enter(rung)
    const free = [...offer.open.keys()].filter((task) => offer.open[task] === 1)
    const told = shuffle(free, random)
      .slice(0, count)
      .map((task): Told => ({ task, group: offer.take(task) }))
    const chosen = told.map(({ task }) => task)
    const sizes = told.map(({ group }) => group.rewards.length)
    for (const [name, predictor] of named) {
      const forecasts = predictor.forecast(step, chosen, sizes)
      predictors[name]!.push(...told.map(({ group }, k) => scoredOf(forecasts[k]!, group)))
    }
    for (const [, predictor] of named) predictor.absorb(step, told)
    tools.told(told)
    groups.push(...told.map(({ group }) => group))
  })
  return { predictors, groups }
}
