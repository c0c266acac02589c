/**
 * The demo trainer's training: register, start the run, then ask, roll out, report, step, score, until the planned steps are made.
 * Owns: the loop. Must never know: the service, the store or clocks; transport, sleep and the log are arguments.
 * Invariants: the server's absence never stops it (it waits, then chooses uniformly and reports later); a paused run is waited for.
 * After a restart with the same key the run's policy version is gone on from: with the kept policy where there is one of that
 * version, else with a fresh one.
 */
import { z } from 'zod'
import { type Group, isInformative } from '@/lib/testbed/group'
import { grpoStep } from '@/lib/testbed/grpo'
import { makePolicy, type Policy, restorePolicy } from '@/lib/testbed/policy'
import { mixSeed, type Random, seededRandom } from '@/lib/testbed/random'
import { rollMany } from '@/lib/testbed/rollout'
import { ShuffledEpochs } from '@/lib/testbed/schedulers/rank'
import { evaluate } from '@/lib/testbed/success'
import { type TaskSet, taskSetOf } from '@/lib/testbed/task-set'
import type { World } from '@/lib/testbed/world'
import { Outbox } from './demo-trainer-outbox'
import { arrivals, type Pick, type PickAnswer, pickAnswer, reportOf } from './demo-trainer-report'
import { call, persist, Refused, ServerAway, type Transport } from './demo-trainer-server'

export interface TrainerOptions {
  /** policies to train, counted from the run's first */
  steps: number
  /** seconds a batch takes to come back */
  pace: number
  /** seconds to wait for a server that is away before choosing without it */
  patience: number
  seed: number
  name: string
  /** null: a run of its own at each start */
  key: string | null
  /** the run's scheduler configuration, in the shape of POST /runs */
  config: object
  /** two-stage groups: rollouts of each stage, in sum the world's group size; null = one stage */
  stages: readonly [number, number] | null
}

export interface Surroundings {
  transport: Transport
  sleep: (seconds: number) => Promise<void>
  log: (line: string) => void
  /** the policy of a run that was stopped, and where to keep the new ones; null: only in memory */
  kept: KeptPolicy | null
  keep: (policyVersion: number, policy: Policy) => void
}

export interface KeptPolicy {
  policyVersion: number
  shared: ArrayLike<number>
  own: ArrayLike<number>
  contract: ArrayLike<number>
}

const taskSetAnswer = z.object({ id: z.string() })
const runAnswer = z.object({ id: z.string(), policyVersion: z.number().int().nullable() })
const batchAnswer = z.object({ index: z.number().int(), picks: z.array(pickAnswer) })

/** A group, of which the rollouts from `from` on are new. */
interface Part {
  pick: Pick
  group: Group
  from: number
}

const REPORTS_A_BATCH = 12
const START_PATIENCE = 120

async function startRun(taskSet: TaskSet, options: TrainerOptions, around: Surroundings) {
  const patience = Math.max(START_PATIENCE, options.patience)
  const post = (path: string, body: unknown) =>
    persist(() => call(around.transport, 'POST', path, body), patience, around.sleep)
  const registered = taskSetAnswer.parse(await post('/api/v1/task-sets', taskSet))
  return runAnswer.parse(
    await post('/api/v1/runs', {
      taskSet: registered.id,
      name: options.name,
      seed: options.seed,
      plannedSteps: options.steps,
      model: 'testbed softmax',
      algorithm: 'GRPO',
      ...(options.key === null ? {} : { key: options.key }),
      config: options.config,
    }),
  )
}

class Trainer {
  private readonly policy: Policy
  private readonly random: Random
  private readonly outbox: Outbox
  private readonly own: ShuffledEpochs
  private readonly index: Map<string, number>

  constructor(
    private readonly world: World,
    private readonly taskSet: TaskSet,
    private readonly run: string,
    private readonly options: TrainerOptions,
    private readonly around: Surroundings,
    from: number,
  ) {
    this.policy = makePolicy(world, options.seed)
    if (around.kept?.policyVersion === from) restorePolicy(world, this.policy, around.kept)
    this.random = seededRandom(mixSeed(options.seed, from))
    this.outbox = new Outbox(around.transport, run, around.log)
    this.own = new ShuffledEpochs(world.tasks.length, seededRandom(mixSeed(options.seed, -1 - from)))
    this.index = new Map(taskSet.tasks.map((task, i) => [`${task.environment}\n${task.key}`, i]))
  }

  /** The server's picks; its own uniform ones when the server stays away. */
  private async picks(version: number): Promise<Pick[]> {
    const { batchSize, groupSize } = this.world.training
    const { stages } = this.options
    const body = {
      requestId: `policy-${version}`,
      size: batchSize,
      groupSize,
      policyVersion: version,
      ...(stages === null ? {} : { stages }),
    }
    const ask = async () => {
      await this.outbox.flush()
      return call(this.around.transport, 'POST', `/api/v1/runs/${this.run}/batches`, body)
    }
    for (let paused = false; ; paused = true) {
      try {
        const answer = batchAnswer.parse(await persist(ask, this.options.patience, this.around.sleep))
        return answer.picks.map((pick) => this.known(pick))
      } catch (error) {
        if (error instanceof ServerAway) {
          this.around.log(`policy ${version}: the server is away, ${batchSize} tasks are drawn uniformly`)
          return this.own.take(batchSize).map((task) => ({ lease: null, task, groupSize }))
        }
        if (!(error instanceof Refused) || error.code !== 'run_paused') throw error
        if (!paused) this.around.log(`policy ${version}: the run is paused, waiting`)
        await this.around.sleep(Math.min(2, Math.max(0.2, this.options.pace)))
      }
    }
  }

  private known(pick: PickAnswer): Pick {
    const task = this.index.get(`${pick.environment}\n${pick.task}`)
    if (task === undefined)
      throw new Error(`The server picked ${pick.task} of ${pick.environment}, which was not registered.`)
    return { lease: pick.lease, task, groupSize: pick.groupSize }
  }

  /** Reports the groups in several calls over the pace; what cannot be sent waits in the outbox. */
  private async report(version: number, parts: readonly Part[]): Promise<void> {
    const reports = parts.flatMap(({ pick, group, from }) =>
      group.rollouts.slice(from).map((rollout, i) => ({
        report: reportOf(this.world, this.taskSet, pick, version, from + i, rollout),
        seconds: rollout.seconds,
      })),
    )
    const coming = arrivals(reports)
    const { batchSize, groupSize } = this.world.training
    const share = Math.min(1, reports.length / (batchSize * groupSize))
    const calls = Math.max(1, Math.round(REPORTS_A_BATCH * share))
    for (let part = 1; part <= calls; part++) {
      await this.around.sleep((this.options.pace * share) / calls)
      const due = coming.findIndex(({ at }) => at > part / calls)
      const back = coming.splice(0, due < 0 || part === calls ? coming.length : due)
      if (back.length === 0) continue
      this.outbox.addRollouts(back.map(({ report }) => report))
      await this.tryFlush(0)
    }
    // without the answer nobody knows which groups go on
    if (this.options.stages !== null && this.outbox.waiting > 0) await this.tryFlush(this.options.patience)
  }

  /** What cannot be sent stays in the outbox. */
  private async tryFlush(patience: number): Promise<void> {
    try {
      await persist(() => this.outbox.flush(), patience, this.around.sleep)
    } catch (error) {
      if (!(error instanceof ServerAway)) throw error
    }
  }

  private roll(pick: Pick): Part {
    const rollouts = rollMany(this.world, this.policy, pick.task, pick.groupSize, this.random)
    return { pick, group: { task: pick.task, rollouts }, from: 0 }
  }

  /** What the answers ask for: second stages of groups that were rolled, and further picks. */
  private goOn(rolled: readonly Part[]): Part[] {
    const further = this.outbox.takeFurther()
    const seconds = further.continue.flatMap(({ lease, rollouts }) => {
      const part = rolled.find(({ pick }) => pick.lease === lease)
      if (part === undefined) return []
      const from = part.group.rollouts.length
      part.group.rollouts.push(...rollMany(this.world, this.policy, part.pick.task, rollouts, this.random))
      return [{ ...part, from }]
    })
    return [...seconds, ...further.more.map((pick) => this.roll(this.known(pick)))]
  }

  /** One policy: ask, roll out, report, GRPO, score. */
  async step(version: number): Promise<void> {
    const picks = await this.picks(version)
    this.outbox.takeFurther()
    const rolled: Part[] = []
    for (let parts = picks.map((pick) => this.roll(pick)); parts.length > 0; parts = this.goOn(rolled)) {
      rolled.push(...parts.filter(({ from }) => from === 0))
      await this.report(version, parts)
    }
    const groups = rolled.map(({ group }) => group)
    const { learningRate, batchSize, groupSize } = this.world.training
    grpoStep(this.world, this.policy, groups, learningRate, batchSize)
    const { mean } = evaluate(this.world, this.policy)
    this.around.keep(version + 1, this.policy)
    this.outbox.addScore({ policyVersion: version + 1, name: 'held-out success', value: mean })
    const informative = groups.filter((group) => isInformative(group, this.options.stages?.[0] ?? groupSize)).length
    this.around.log(
      `policy ${version}: ${informative} of ${groups.length} groups informative, held-out success ${mean.toFixed(3)}`,
    )
  }

  async finish(): Promise<void> {
    await persist(
      async () => {
        await this.outbox.flush()
        await call(this.around.transport, 'PATCH', `/api/v1/runs/${this.run}`, { status: 'finished' })
      },
      this.options.patience,
      this.around.sleep,
    )
  }
}

/** Trains `world` through the server. Resolves when the run is finished. @throws Refused, or ServerAway when it never came back. */
export async function trainOverHttp(world: World, options: TrainerOptions, around: Surroundings): Promise<void> {
  const taskSet = taskSetOf(world)
  const run = await startRun(taskSet, options, around)
  // a policy is kept before the next batch is asked for, so it can be one ahead of the run
  const ahead = run.policyVersion !== null && around.kept?.policyVersion === run.policyVersion + 1
  const from = (run.policyVersion ?? 0) + (ahead ? 1 : 0)
  around.log(`run ${run.id}: policy ${from} of ${options.steps}`)
  const trainer = new Trainer(world, taskSet, run.id, options, around, from)
  try {
    for (let version = from; version < options.steps; version++) await trainer.step(version)
    await trainer.finish()
  } catch (error) {
    if (!(error instanceof Refused) || !['run_over', 'run_deleted'].includes(error.code)) throw error
    around.log(`run ${run.id}: ${error.message}`)
    return
  }
  around.log(`run ${run.id} is finished after ${options.steps} policies`)
}
