/**
 * Runs: what starts one, what changes one, and its headline numbers.
 * Owns: run bodies, statuses and the scheduler configuration at the boundary (quotas by environment key).
 */
import { z } from 'zod'
import { GROUP_SIZINGS, SCHEDULERS, WEIGHT_RANGES, WEIGHTS } from '@/lib/engine/config'
import { MOST_WHOLE, nameOf } from './bounds'
import { restorePoint } from './state'
import { taskSetSummary } from './task-set'

export const RUN_STATUSES = ['waiting', 'live', 'silent', 'paused', 'finished', 'failed'] as const
export type RunStatus = (typeof RUN_STATUSES)[number]

const weightFields = Object.fromEntries(
  WEIGHTS.map((name) => [
    name,
    z.number().min(WEIGHT_RANGES[name].low).max(WEIGHT_RANGES[name].high).default(WEIGHT_RANGES[name].default),
  ]),
) as Record<(typeof WEIGHTS)[number], z.ZodDefault<z.ZodNumber>>

export const quotaInput = z.object({
  lower: z.number().min(0).max(1).default(0),
  upper: z.number().min(0).max(1).default(1),
})

export const runConfig = z.object({
  scheduler: z.enum(SCHEDULERS).default('envsched'),
  weights: z.object(weightFields).prefault({}),
  uniformShare: z.number().min(0).max(1).default(0.25),
  /** adaptive: scored picks get 2 rollouts to twice the group size, by what they are expected to teach, at the same sum */
  groupSizing: z.enum(GROUP_SIZINGS).default('fixed'),
  /** by environment key; shares of picks in a window */
  quotas: z.record(z.string(), quotaInput).default({}),
  windowPicks: z.number().int().positive().nullable().default(null),
  /** null = ten times the median step, one hour at least (decided.md 7) */
  leaseSeconds: z.number().positive().max(MOST_WHOLE).nullable().default(null),
  target: z.number().min(0).max(1).default(0.6),
})
export type RunConfig = z.infer<typeof runConfig>

export const runInput = z.object({
  taskSet: z.string(),
  name: z.string().min(1).max(120),
  seed: z.union([z.string(), z.number().int()]).optional(),
  config: runConfig.prefault({}),
  mode: z.enum(['choose', 'shadow']).default('choose'),
  plannedSteps: z.number().int().positive().max(MOST_WHOLE).nullable().default(null),
  model: z.string().max(200).nullable().default(null),
  algorithm: z.string().max(200).nullable().default(null),
  /** key and content of the task set name a run: a restarted trainer goes on with it, also where it was over; on a changed set the key starts a second run */
  key: nameOf(200).nullable().default(null),
})
export type RunInput = z.input<typeof runInput>

/** `name`: deletes only if that is the run's name. */
export const deleteQuery = z.object({ name: z.string().optional() })

export const runPatch = z.object({
  status: z.enum(['paused', 'live', 'finished', 'failed']).optional(),
  name: z.string().min(1).max(120).optional(),
  note: z.string().max(500).optional(),
  plannedSteps: z.number().int().positive().max(MOST_WHOLE).nullable().optional(),
})
export type RunPatch = z.infer<typeof runPatch>

/** Headline numbers. Shares are 0 to 1, null = no group yet. */
export const runSummary = z.object({
  id: z.string(),
  key: z.string().nullable(),
  name: z.string(),
  mode: z.enum(['choose', 'shadow']),
  status: z.enum(RUN_STATUSES),
  /** words beside the status: "by mira: verifier patch", "usual gap 20 s", or null */
  statusNote: z.string().nullable(),
  scheduler: z.enum(SCHEDULERS),
  taskSet: z.object({ id: z.string(), name: z.string() }),
  environments: z.number().int(),
  tasks: z.number().int(),
  model: z.string().nullable(),
  algorithm: z.string().nullable(),
  plannedSteps: z.number().int().nullable(),
  seed: z.string(),
  epoch: z.number().int(),
  policyVersion: z.number().int().nullable(),
  /** number of the newest batch, 0 = none yet */
  batch: z.number().int(),
  /** size and group size of the newest batch, null before the first */
  batchSize: z.number().int().nullable(),
  groupSize: z.number().int().nullable(),
  /** of the newest batch: rollouts of the two stages of its groups; null = one stage */
  stages: z.tuple([z.number().int(), z.number().int()]).nullable(),
  /** picks of the newest batch whose groups are complete */
  picksBack: z.number().int(),
  leasesOpen: z.number().int(),
  rollouts: z.number().int(),
  /** over the last 10 batches; on all trusted groups, and on the uniform slots */
  informativeShare: z.number().nullable(),
  uniformShareInformative: z.number().nullable(),
  /** mean outcome on the uniform slots of the last 10 batches; null without any, as in shadow mode */
  reward: z.number().nullable(),
  /** 30 values at most, newest last: one a batch, means of neighbours in longer runs; null where there was no uniform group */
  rewardSeries: z.array(z.number().nullable()),
  fallback: z.object({ rung: z.string(), why: z.string().nullable() }).nullable(),
  createdAt: z.string(),
  lastReportAt: z.string().nullable(),
  /** median seconds between reports, null before the third */
  usualGapSeconds: z.number().nullable(),
  /** the log number that everything above is as of; the cursor of /changes */
  cursor: z.number().int(),
})
export type RunSummary = z.infer<typeof runSummary>

export const runDetail = runSummary.extend({
  config: runConfig,
  taskSetSummary: taskSetSummary,
  /** oldest first */
  restores: z.array(restorePoint),
})
export type RunDetail = z.infer<typeof runDetail>

export const deletedRun = z.object({
  id: z.string(),
  name: z.string(),
  rollouts: z.number().int(),
  batches: z.number().int(),
  /** stays, with all other runs on it */
  taskSet: z.object({ id: z.string(), name: z.string() }),
})
export type DeletedRun = z.infer<typeof deletedRun>
