/**
 * EnvSched in the testbed: the engine's fold, driven as the service drives it, from the task set and rollouts alone.
 * Owns: the translation of picks and groups into log entries. Must never know: skills, chains, the policy.
 * Invariant: each pick of a batch ends in exactly one entry, a group or a released lease. Time is a second a step.
 */
import { defaultConfig, type SchedulerConfig } from '@/lib/engine/config'
import type { FieldSettings } from '@/lib/engine/field-settings'
import { createField } from '@/lib/engine/field-state'
import type { GroupEntry } from '@/lib/engine/log-entry'
import { applyEntry, createScheduler, proposeBatch } from '@/lib/engine/scheduler'
import type { EngineTaskSet } from '@/lib/engine/task-set'
import type { Group } from '@/lib/testbed/group'
import type { Scheduler, SchedulerInput } from '@/lib/testbed/scheduler'
import { interleave } from '@/lib/testbed/schedulers/env-then-task'
import type { TaskSet } from '@/lib/testbed/task-set'

/** The task set as the engine takes it: indices in the order of the set. */
export function engineTaskSet(set: TaskSet): EngineTaskSet {
  const index = new Map(set.environments.map((environment, i) => [environment.key, i]))
  return {
    environments: set.environments.map((environment) => ({
      key: environment.key,
      tools: environment.tools.map((tool) => ({ ...tool })),
      state: environment.state,
      verifier: environment.verifier,
      rewardRange: environment.rewardRange,
      horizon: environment.horizon,
      maxConcurrent: null,
    })),
    tasks: set.tasks.map((task) => ({ ...task, environment: index.get(task.environment) ?? -1 })),
  }
}

interface Out {
  lease: number
  slot: GroupEntry['slot']
}

function average(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((a, b) => a + b, 0) / values.length
}

function groupEntry(group: Group, range: readonly [number, number], step: number, out: Out | undefined): GroupEntry {
  const entry: GroupEntry = {
    kind: 'group',
    at: 1000 * step + 500,
    task: group.task,
    policyVersion: step,
    lease: out?.lease ?? null,
    slot: out?.slot ?? null,
    trusted: 0,
    sum: 0,
    sumSquares: 0,
    low: 0,
    high: 0,
    untrusted: 0,
    verifierErrors: 0,
    seconds: null,
    turns: null,
    late: false,
  }
  const trusted = group.rollouts.filter((rollout) => rollout.reward !== null)
  for (const { reward, status } of group.rollouts) {
    if (reward === null) {
      entry.untrusted++
      if (status === 'verifier_error') entry.verifierErrors++
      continue
    }
    entry.trusted++
    entry.sum += reward
    entry.sumSquares += reward * reward
    if (reward <= range[0]) entry.low++
    if (reward >= range[1]) entry.high++
  }
  entry.seconds = average(trusted.map((rollout) => rollout.seconds))
  entry.turns = average(trusted.map((rollout) => rollout.turns))
  return entry
}

/** What an ablation changes: the configuration, what is seen of the task set, the field's own constants. */
export interface Ablation {
  config?: (config: SchedulerConfig) => SchedulerConfig
  view?: (set: TaskSet) => TaskSet
  settings?: FieldSettings
}

export function envsched(input: SchedulerInput, ablation: Ablation = {}): Scheduler {
  const set = engineTaskSet(ablation.view?.(input.taskSet) ?? input.taskSet)
  const defaults = defaultConfig(input.environments)
  const scheduler = createScheduler(set, ablation.config?.(defaults) ?? defaults, String(input.seed))
  if (ablation.settings !== undefined) scheduler.field = createField(scheduler.structure, set, ablation.settings)
  const out = new Map<number, Out>()
  let batch = 0
  let lease = 0
  return {
    next: (step, count) => {
      const request = { size: count, groupSize: input.groupSize, policyVersion: step, at: 1000 * step }
      const { picks } = proposeBatch(scheduler, request, [], false)
      const leased = picks.map(({ task, slot }) => ({ task, slot, lease: ++lease }))
      batch++
      applyEntry(scheduler, {
        kind: 'batch',
        batch,
        at: request.at,
        policyVersion: step,
        groupSize: input.groupSize,
        picks: leased,
      })
      for (const pick of leased) out.set(pick.task, { lease: pick.lease, slot: pick.slot })
      const tasks = (slot: boolean) =>
        leased.filter((pick) => (pick.slot === 'uniform') === slot).map((pick) => pick.task)
      return interleave(tasks(false), tasks(true))
    },
    observe: (step, groups) => {
      for (const group of groups) {
        const range = input.ranges[set.tasks[group.task]!.environment]!
        applyEntry(scheduler, groupEntry(group, range, step, out.get(group.task)))
        out.delete(group.task)
      }
      for (const { lease: unused } of out.values())
        applyEntry(scheduler, { kind: 'lease_end', at: 1000 * step + 600, lease: unused, reason: 'released' })
      out.clear()
    },
  }
}
