/**
 * Task sets: what a trainer or an importer registers, and how it reads back.
 * Owns: the POST /task-sets body and NDJSON lines. Only keys are required. The same content gives the same set.
 */
import { z } from 'zod'
import { ROLES } from '@/lib/engine/task-set'
import { isShallow, MOST_REWARD, MOST_WHOLE, nameOf, TOO_DEEP } from './bounds'

const key = nameOf(500)
const bound = z.number().min(-MOST_REWARD).max(MOST_REWARD)
/** of a range's width to its ends, and to 1: closer ends cannot be told apart in sums */
const LEAST_WIDTH = 1e-9

export const toolInput = z.object({
  name: key,
  description: z.string().max(4000).optional(),
  role: z.enum(ROLES).optional(),
  /** parameter names, or a JSON schema whose property names are taken */
  parameters: z.union([z.array(z.string()), z.record(z.string(), z.unknown())]).optional(),
})

export const environmentInput = z.object({
  key,
  name: z.string().min(1).max(200).optional(),
  /** a name alone stands for a tool of which nothing else is known */
  tools: z
    .array(z.union([key.transform((name): z.infer<typeof toolInput> => ({ name })), toolInput]))
    .max(2000)
    .optional(),
  state: z.array(z.string()).max(2000).optional(),
  verifier: z.object({ kind: z.string().optional(), checks: z.array(z.string()).optional() }).optional(),
  rewardRange: z
    .tuple([bound, bound])
    .refine(([low, high]) => low < high, 'the low end must be under the high end')
    .refine(
      ([low, high]) => high - low >= LEAST_WIDTH * Math.max(1, Math.abs(low), Math.abs(high)),
      'its ends are too close to be told apart',
    )
    .optional(),
  horizon: z.number().int().positive().max(MOST_WHOLE).optional(),
  maxConcurrent: z.number().int().positive().max(MOST_WHOLE).optional(),
})
export type EnvironmentInput = z.infer<typeof environmentInput>

export const taskInput = z.object({
  /** key of its environment */
  environment: key,
  key,
  text: z.string().max(100_000).optional(),
  tools: z.array(z.string()).max(2000).optional(),
  state: z.array(z.string()).max(2000).optional(),
  checks: z.array(z.string()).max(2000).optional(),
  payload: z.unknown().refine(isShallow, TOO_DEEP).optional(),
})
export type TaskInput = z.infer<typeof taskInput>

export const taskSetInput = z.object({
  name: z.string().min(1).max(200),
  environments: z.array(environmentInput).min(1).max(10_000),
  tasks: z.array(taskInput).min(1).max(1_000_000),
})
/** `name`: of a set that comes as NDJSON. */
export const taskSetQuery = z.object({ name: z.string().min(1).max(200).optional() })
export type TaskSetInput = z.infer<typeof taskSetInput>

/** One environment as pages and trainers read it. `id` is URL-safe and stable for the task set ("e3"). */
export const environmentRef = z.object({
  id: z.string(),
  key: z.string(),
  name: z.string(),
  /** unique, three capital letters or digits */
  code: z.string().length(3),
  /** 1 to 12, or null = env-other (LOOK.md) */
  hue: z.number().int().nullable(),
})
export type EnvironmentRef = z.infer<typeof environmentRef>

/** One task as pages name it. `id` is URL-safe and stable for the task set ("t17"). */
export const taskRef = z.object({ id: z.string(), key: z.string(), environment: environmentRef })
export type TaskRef = z.infer<typeof taskRef>

export const taskSetSummary = z.object({
  id: z.string(),
  name: z.string(),
  fingerprint: z.string(),
  createdAt: z.string(),
  environments: z.number().int(),
  tasks: z.number().int(),
  tools: z.number().int(),
  edges: z.object({ within: z.number().int(), cross: z.number().int() }),
  patterns: z.number().int(),
  runs: z.number().int(),
})
export type TaskSetSummary = z.infer<typeof taskSetSummary>

export const taskSetDetail = taskSetSummary.extend({
  environmentList: z.array(
    environmentRef.extend({
      tasks: z.number().int(),
      tools: z.array(z.string()),
      rewardRange: z.tuple([z.number(), z.number()]).nullable(),
    }),
  ),
})
export type TaskSetDetail = z.infer<typeof taskSetDetail>
