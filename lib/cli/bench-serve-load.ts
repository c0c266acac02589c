/**
 * The trainer of the measurement: asks for batches, rolls them out with the testbed's policy, reports them in parts, trains.
 * Owns: the timings of requests and reports. Invariant: what is reported is what the testbed gave, so the server's work is that
 * of a real run: graded and binary rewards, failures, messages for some rollouts.
 */
import { z } from 'zod'
import { grpoStep } from '@/lib/testbed/grpo'
import { makePolicy } from '@/lib/testbed/policy'
import { mixSeed, seededRandom } from '@/lib/testbed/random'
import { rollMany } from '@/lib/testbed/rollout'
import { taskSetOf } from '@/lib/testbed/task-set'
import type { World } from '@/lib/testbed/world'
import { addSample, type Samples } from './bench-serve-figures'
import { reportOf } from './demo-trainer-report'
import { call, type Transport } from './demo-trainer-server'

export interface LoadPlan {
  batches: number
  size: number
  groupSize: number
  seed: number
}

export interface Load {
  samples: Samples
  rollouts: number
  seconds: number
}

/** Groups in one report: workers come back one after the other. */
const GROUPS_A_REPORT = 8

const idAnswer = z.object({ id: z.string() })
const batchAnswer = z.object({
  picks: z.array(z.object({ lease: z.string(), environment: z.string(), task: z.string(), groupSize: z.number() })),
})
const reportAnswer = z.object({ accepted: z.number(), rejected: z.array(z.unknown()) })

/** Registers the world and starts a run; `registered` is the time that the task set took. */
export async function openRun(
  transport: Transport,
  world: World,
  plan: LoadPlan,
): Promise<{ run: string; registered: number }> {
  const started = performance.now()
  const set = idAnswer.parse(await call(transport, 'POST', '/api/v1/task-sets', taskSetOf(world)))
  const registered = performance.now() - started
  const body = { taskSet: set.id, name: 'measurement', seed: plan.seed, plannedSteps: plan.batches }
  return { run: idAnswer.parse(await call(transport, 'POST', '/api/v1/runs', body)).id, registered }
}

export async function driveLoad(
  transport: Transport,
  world: World,
  run: string,
  plan: LoadPlan,
  progress: (line: string) => void,
): Promise<Load> {
  const taskSet = taskSetOf(world)
  const places = new Map(taskSet.tasks.map((task, i) => [`${task.environment}\n${task.key}`, i]))
  const policy = makePolicy(world, plan.seed)
  const random = seededRandom(mixSeed(plan.seed, 1))
  const load: Load = { samples: {}, rollouts: 0, seconds: 0 }
  const timed = async (name: string, method: string, path: string, body: unknown) => {
    const started = performance.now()
    const answer = await call(transport, method, `/api/v1/runs/${run}${path}`, body)
    addSample(load.samples, name, performance.now() - started)
    return answer
  }
  const began = performance.now()
  for (let version = 0; version < plan.batches; version++) {
    const { size, groupSize } = plan
    const request = { requestId: `measured-${version}`, size, groupSize, policyVersion: version }
    const { picks } = batchAnswer.parse(await timed('batch request', 'POST', '/batches', request))
    const rolled = picks.map((pick) => {
      const task = places.get(`${pick.environment}\n${pick.task}`)
      if (task === undefined) throw new RangeError(`there is no task ${pick.task} in ${pick.environment}`)
      const rollouts = rollMany(world, policy, task, pick.groupSize, random)
      const known = { lease: pick.lease, task, groupSize: pick.groupSize }
      const reports = rollouts.map((rollout, i) => reportOf(world, taskSet, known, version, i, rollout))
      return { group: { task, rollouts }, reports }
    })
    for (let from = 0; from < rolled.length; from += GROUPS_A_REPORT) {
      const reports = rolled.slice(from, from + GROUPS_A_REPORT).flatMap((one) => one.reports)
      const { accepted } = reportAnswer.parse(await timed('report', 'POST', '/rollouts', reports))
      if (accepted !== reports.length) throw new Error(`only ${accepted} of ${reports.length} rollouts were accepted`)
      load.rollouts += accepted
    }
    const groups = rolled.map(({ group }) => group)
    grpoStep(world, policy, groups, world.training.learningRate, size)
    progress(`batch ${version + 1} of ${plan.batches}`)
  }
  load.seconds = (performance.now() - began) / 1000
  return load
}
