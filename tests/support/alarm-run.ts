/**
 * A run in the testbed as alarm rules see it: the engine chooses, the policy of a world rolls out and learns, each batch is
 * absorbed and every rule is asked. What a test breaks, it breaks by hand: the policy between steps, or what is reported.
 */
import { defaultConfig, type SchedulerConfig } from '@/lib/engine/config'
import type { BatchEntry } from '@/lib/engine/log-entry'
import { predictMixedTask } from '@/lib/engine/mixture'
import { applyEntry, createScheduler, proposeBatch, type Scheduler, viewOf } from '@/lib/engine/scheduler'
import type { Ring } from '@/lib/service/alarms/ring'
import { ringAlarms } from '@/lib/service/alarms/ring-alarms'
import { factsOf } from '@/lib/service/alarms/run-facts'
import type { BatchRecord } from '@/lib/service/batch-record'
import { complete, emptyGroup } from '@/lib/service/group-book'
import { groupEntry, spread } from '@/lib/service/group-entry'
import { emptyHistory, takeGroups } from '@/lib/service/run-history'
import type { GroupRow } from '@/lib/store/group'
import { grpoStep } from '@/lib/testbed/grpo'
import { makePolicy, type Policy } from '@/lib/testbed/policy'
import { mixSeed, seededRandom } from '@/lib/testbed/random'
import { type Rollout, rollMany } from '@/lib/testbed/rollout'
import { engineTaskSet } from '@/lib/testbed/schedulers/envsched'
import { taskSetOf } from '@/lib/testbed/task-set'
import type { World } from '@/lib/testbed/world'

export interface AlarmRun {
  world: World
  batches: number
  seed?: number
  config?: (config: SchedulerConfig) => SchedulerConfig
  target?: number
  /** after the step's update; the caller refreshes the policy's table where it changes logits */
  meddle?: (step: number, policy: Policy, scheduler: Scheduler) => void
  /** what is reported of a task's rollouts; null = nothing, and the lease expires */
  report?: (step: number, task: number, rollouts: Rollout[]) => Rollout[] | null
}

export interface RungBatch {
  batch: number
  rings: Ring[]
  /** milliseconds that the rules took, facts included */
  spent: number
}

/** Counts one rollout in its group, as a report does. */
function count(group: GroupRow, rollout: Rollout): void {
  group.returned += 1
  group.statuses[rollout.status] = (group.statuses[rollout.status] ?? 0) + 1
  if (rollout.error !== null) group.errors += 1
  if (rollout.reward === null) {
    group.untrusted += 1
    if (rollout.status === 'verifier_error') group.verifierErrors += 1
    return
  }
  group.trusted += 1
  group.sum += rollout.reward
  group.sumSquares += rollout.reward ** 2
}

function absorb(scheduler: Scheduler, group: GroupRow, rollouts: readonly Rollout[], seq: number): void {
  const range = scheduler.set.environments[scheduler.set.tasks[group.task]?.environment ?? -1]?.rewardRange ?? [0, 1]
  for (const rollout of rollouts) count(group, rollout)
  complete(group, seq, 0)
  const values = rollouts.flatMap((rollout) => rollout.reward ?? [])
  if (values.length > 0)
    group.predictedVariance = predictMixedTask(scheduler.models, group.task, values.length).predictedVariance
  applyEntry(scheduler, groupEntry(group, values, range, 0))
  Object.assign(group, spread(values, range), { state: 'absorbed', logSeq: seq })
}

/** The alarms of every batch. Deterministic in the world and the seed. */
export function runAlarms({ world, batches, seed = 1, config, target, meddle, report }: AlarmRun): RungBatch[] {
  const taskSet = taskSetOf(world)
  const set = engineTaskSet(taskSet)
  const defaults = defaultConfig(set.environments.length)
  const scheduler = createScheduler(set, config?.(defaults) ?? defaults, String(seed))
  const policy = makePolicy(world, mixSeed(seed, 2))
  const random = seededRandom(mixSeed(seed, 3))
  const history = emptyHistory()
  const catalog = {
    set,
    environments: taskSet.environments.map(({ key, name }, e) => ({
      id: `e${e}`,
      key,
      name,
      code: `E${e}`,
      hue: null,
    })),
    tasks: set.tasks.map(({ key, environment }, t) => ({
      id: `t${t}`,
      key,
      environment: { id: `e${environment}`, key: '', name: '', code: '', hue: null },
    })),
  }
  const { batchSize, groupSize, learningRate } = world.training
  const rung: RungBatch[] = []
  let seq = 0
  let lease = 0
  for (let step = 0; step < batches; step += 1) {
    const request = { size: batchSize, groupSize, policyVersion: step, at: step }
    const { picks } = proposeBatch(scheduler, request, [], false)
    const batch = step + 1
    const entry: BatchEntry = {
      ...request,
      kind: 'batch',
      batch,
      picks: picks.map(({ task, slot }) => ({ task, slot, lease: ++lease })),
    }
    applyEntry(scheduler, entry)
    seq += 1
    history.batches.push({
      ...{ index: batch, epoch: 1, requestId: `${step}`, seq, at: step, policyVersion: step, superseded: false },
      ...{ size: batchSize, groupSize, record: {} as BatchRecord },
    })
    const groups = entry.picks.map((pick) => ({
      row: emptyGroup({ number: pick.lease, ...pick, batch, policyVersion: step }),
      rollouts: rollMany(world, policy, pick.task, groupSize, random),
    }))
    const learnt: { task: number; rollouts: Rollout[] }[] = []
    for (const { row, rollouts } of groups) {
      seq += 1
      const told = report === undefined ? rollouts : report(step, row.task, rollouts)
      if (told === null) {
        applyEntry(scheduler, { kind: 'lease_end', at: step, lease: row.lease ?? -1, reason: 'expired' })
        Object.assign(row, { state: 'absorbed', logSeq: seq })
      } else {
        absorb(scheduler, row, told, seq)
        learnt.push({ task: row.task, rollouts: told })
      }
    }
    takeGroups(
      history,
      groups.map(({ row }) => row),
    )
    grpoStep(world, policy, learnt, learningRate, batchSize)
    const began = performance.now()
    const view = viewOf(scheduler)
    const facts = factsOf({ catalog, history, view, released: new Set(), target: target ?? defaults.target })
    const rings = ringAlarms(facts)
    rung.push({ batch, rings, spent: performance.now() - began })
    meddle?.(step, policy, scheduler)
  }
  return rung
}

/** First batch of each alarm that rang, by key. */
export function firstRings(rung: readonly RungBatch[]): Map<string, { batch: number; ring: Ring }> {
  const first = new Map<string, { batch: number; ring: Ring }>()
  for (const { batch, rings } of rung)
    for (const ring of rings) if (!first.has(ring.key)) first.set(ring.key, { batch, ring })
  return first
}
