/**
 * Fills a data folder with one run for bench:page, before any server is started on it.
 * Owns: the sizes by name and how a run of a thousand batches is made in minutes. Must never know: browsers.
 * How: through the service in this process, as a trainer's requests would go, without HTTP between. The large run chooses with the
 * control scheduler `uniform` and small groups, and its policy advances every POLICY_EVERY batches, since walking all effects of
 * 10,000 tasks a thousand times would take most of the time; models, evidence, tables and series are those of any other run.
 * Invariant: the same size gives the same run, but for its times, which end now.
 */
import { taskSetInput } from '@/lib/contract/task-set'
import { createRun } from '@/lib/service/create-run'
import { registerTaskSet } from '@/lib/service/register-task-set'
import { reportRollouts } from '@/lib/service/report-rollouts'
import { requestBatch } from '@/lib/service/request-batch'
import { closeRuntime, openRuntime, type Runtime } from '@/lib/service/runtime'
import { readSettings } from '@/lib/service/settings'
import { generateWorld } from '@/lib/testbed/generate-world'
import { grpoStep } from '@/lib/testbed/grpo'
import { makePolicy } from '@/lib/testbed/policy'
import { mixSeed, seededRandom } from '@/lib/testbed/random'
import { rollMany } from '@/lib/testbed/rollout'
import { taskSetOf } from '@/lib/testbed/task-set'
import type { World } from '@/lib/testbed/world'
import { makeWorld } from '@/lib/testbed/worlds'
import { reportOf } from './demo-trainer-report'
import { openLog } from './start-log'
import { databaseUrl, migrate } from './start-server'

export interface PageSize {
  name: string
  tasks: number
  batches: number
  picks: number
  groupSize: number
  scheduler: 'envsched' | 'uniform'
  policyEvery: number
}

/** A second, short run of the large set that EnvSched chooses: the drafts of a control scheduler's run move little. */
const STEERED: PageSize = {
  ...{ name: 'steered', tasks: 10_000, batches: 24, picks: 64, groupSize: 8 },
  ...{ scheduler: 'envsched', policyEvery: 1 },
}

export interface Seeded {
  run: string
  /** a run to steer, where it is not the same */
  steered: string | null
}

export const PAGE_SIZES: readonly PageSize[] = [
  { name: 'small', tasks: 1200, batches: 60, picks: 32, groupSize: 8, scheduler: 'envsched', policyEvery: 1 },
  { name: 'large', tasks: 10_000, batches: 1000, picks: 8, groupSize: 2, scheduler: 'uniform', policyEvery: 10 },
]

const SEED = 61
const SECONDS_A_BATCH = 30
/** a snapshot of 10,000 tasks is a hundred megabytes: few are written, and the rest of the log is folded when the server starts */
const SNAPSHOT_EVERY = { small: 1000, large: 4000 }

/** 1,200 tasks in 40 environments, or 10,000 in 100 that share their tools. */
export function worldOf({ name, tasks }: PageSize): World {
  if (name === 'small') return makeWorld('small', SEED)
  const none = { share: 0, rate: 0 }
  return generateWorld(
    'large',
    {
      environments: 100,
      tasks,
      heldOutPerEnvironment: 8,
      longestChain: 8,
      quirk: 0.25,
      broken: 0.05,
      gradedShare: 0,
      flip: none,
      infraError: none,
      verifierError: none,
      slow: { share: 0, factor: 1 },
      trap: { share: 0, logit: 0 },
      start: { mean: 1.5, deviation: 2, environmentDeviation: 1.5 },
      training: { batchSize: 64, groupSize: 8, learningRate: 8 },
    },
    SEED,
  )
}

/** Fills `data`, which is empty. */
export async function seedRuns(data: string, size: PageSize, progress: (line: string) => void): Promise<Seeded> {
  const env = { ...process.env, NODE_ENV: 'production' as const, DATABASE_URL: undefined, ENVSCHED_DATA: data }
  const environment = {
    ...env,
    DATABASE_URL: databaseUrl(data, env),
    ENVSCHED_SNAPSHOT_EVERY: String(size.name === 'small' ? SNAPSHOT_EVERY.small : SNAPSHOT_EVERY.large),
  }
  await migrate(environment, openLog(data, []))
  const runtime = await openRuntime(readSettings(environment), false)
  try {
    const world = worldOf(size)
    const run = await trainRun(runtime, world, size, progress)
    const steered = size.scheduler === 'envsched' ? null : await trainRun(runtime, world, STEERED, progress)
    return { run, steered }
  } finally {
    await closeRuntime(runtime)
  }
}

async function trainRun(
  runtime: Runtime,
  world: World,
  size: PageSize,
  progress: (line: string) => void,
): Promise<string> {
  const taskSet = taskSetOf(world)
  const places = new Map(taskSet.tasks.map((task, i) => [`${task.environment}\n${task.key}`, i]))
  const policy = makePolicy(world, SEED)
  const random = seededRandom(mixSeed(SEED, 1))
  const began = Date.now() - size.batches * SECONDS_A_BATCH * 1000
  const { id: set } = await registerTaskSet(runtime, taskSetInput.parse(taskSet), began)
  const body = {
    taskSet: set,
    name: `measured ${size.name}`,
    seed: SEED,
    plannedSteps: size.batches,
    config: { scheduler: size.scheduler },
  }
  const { id: run } = await createRun(runtime, body, { name: 'bench', scope: 'operate' }, began)
  for (let batch = 0; batch < size.batches; batch++) {
    const now = began + batch * SECONDS_A_BATCH * 1000
    const policyVersion = Math.floor(batch / size.policyEvery)
    const asked = { requestId: `seed-${batch}`, size: size.picks, groupSize: size.groupSize, policyVersion }
    const { picks } = await requestBatch(runtime, run, asked, now)
    const rolled = picks.map((pick) => {
      const task = places.get(`${pick.environment}\n${pick.task}`)
      if (task === undefined) throw new RangeError(`there is no task ${pick.task} in ${pick.environment}`)
      const rollouts = rollMany(world, policy, task, pick.groupSize, random)
      const known = { lease: pick.lease, task, groupSize: pick.groupSize }
      const reports = rollouts.map((rollout, i) => reportOf(world, taskSet, known, policyVersion, i, rollout))
      return { group: { task, rollouts }, reports }
    })
    const reports = rolled.flatMap((one) => one.reports)
    await reportRollouts(runtime, run, reports, now + (SECONDS_A_BATCH * 1000) / 2)
    const groups = rolled.map(({ group }) => group)
    grpoStep(world, policy, groups, world.training.learningRate, size.picks)
    progress(`${size.name}: batch ${batch + 1} of ${size.batches}`)
  }
  return run
}
