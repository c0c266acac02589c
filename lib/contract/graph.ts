/**
 * The dual-relation graph as the page draws it: column arrays, since a graph has many nodes. Its stored part never moves
 * while a run goes on; `graphFigures` is what does, so that a page asks for the rest once.
 * Invariants: every array of `nodes` has one value a node in task order; positions are of the stored layout; with level
 * "environments" nodes are only those that were asked for, and environments and pairs tell the whole.
 */
import { z } from 'zod'
import { queryWhole } from './bounds'
import { environmentRef } from './task-set'

/** Above so many tasks an answer holds environments, unless tasks are asked for by name. */
export const MOST_TASKS = 10_000

const column = z.array(z.number())
const whole = z.array(z.number().int())

/** One value a node of the graph that was asked for in the same words. */
const nodeFigures = z.object({
  predictedVariance: column,
  /** null as of a past batch: only predicted variance is kept of those */
  ability: column.nullable(),
  /** complete groups by then; 0 = never tried */
  groups: whole,
  /** in the batch */
  picked: z.array(z.boolean()),
})

/** One value an environment, in their order. */
const environmentFigures = z.object({
  /** sum of predicted variance, and its share of the whole */
  variance: column,
  held: column,
  /** in the batch */
  picks: whole,
  /** tasks with a complete group by then */
  tried: whole,
})

const asOf = z.object({
  /** version of the stored graph in force */
  version: z.number().int(),
  /** "as of batch n": the newest, or the one asked for */
  batch: z.number().int(),
  /** null = predictions of now; else the batch before which they were made, the nearest one kept */
  predictionsOf: z.number().int().nullable(),
})

export const graphFigures = asOf.extend({ environments: environmentFigures, nodes: nodeFigures })
export type GraphFigures = z.infer<typeof graphFigures>

export const graph = asOf.extend({
  level: z.enum(['tasks', 'environments']),
  /** tasks of the set, whether or not they are nodes here */
  total: z.number().int(),
  environments: z.array(
    environmentRef.extend({
      tasks: z.number().int(),
      /** island of the stored layout */
      x: z.number(),
      y: z.number(),
      radius: z.number(),
      variance: z.number(),
      held: z.number(),
      picks: z.number().int(),
      tried: z.number().int(),
    }),
  ),
  nodes: nodeFigures.extend({
    id: z.array(z.string()),
    key: z.array(z.string()),
    /** index into environments */
    environment: whole,
    x: column,
    y: column,
  }),
  /** indices into nodes; weights 0 to 1; those with both ends among the nodes */
  edges: z.object({
    source: whole,
    target: whole,
    kind: z.array(z.enum(['within', 'cross'])),
    weight: column,
  }),
  /** environments with stored cross edges between them, strongest sum first; a < b index environments, weight is the mean */
  pairs: z.object({ a: whole, b: whole, edges: whole, weight: column }),
  /** stored edges of the whole graph */
  counts: z.object({ within: z.number().int(), cross: z.number().int() }),
})
export type GraphView = z.infer<typeof graph>

const ids = z
  .string()
  .max(4000)
  .transform((text) => text.split(',').filter((id) => id !== ''))
const weight = z
  .string()
  .regex(/^(\d+(\.\d+)?|\.\d+)$/, 'is no weight')
  .transform(Number)
  .pipe(z.number().min(0).max(1))
  .meta({ type: 'number', minimum: 0, maximum: 1 })

/** Which nodes: all with level "tasks"; with "environments" only those of `open`, around `around`, and `also`. */
export const graphSelection = z.object({
  level: z.enum(['auto', 'tasks', 'environments']).default('auto'),
  open: z.string().optional(),
  around: z.string().optional(),
  hops: queryWhole(1, 2).default(2),
  also: ids.optional(),
  batch: queryWhole(1).optional(),
})

export const graphQuery = graphSelection.extend({
  /** within, cross, or both between a comma */
  kinds: z.string().max(100).optional(),
  minWeight: weight.default(0),
  /** least weight by kind, over minWeight */
  within: weight.optional(),
  cross: weight.optional(),
  /** environments to leave out */
  hide: ids.optional(),
  rows: z.enum(['edges', 'tasks']).default('edges'),
  format: z.enum(['json', 'gexf', 'csv']).default('json'),
})
