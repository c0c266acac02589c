/**
 * The dual-relation graph as the page draws it: column arrays, since a graph has many nodes.
 * Invariant: every array of `nodes` has one value a task in task order; positions are of the stored layout and do not move.
 */
import { z } from 'zod'
import { environmentRef } from './task-set'

export const graph = z.object({
  version: z.number().int(),
  /** "as of batch n" */
  batch: z.number().int(),
  environments: z.array(
    environmentRef.extend({
      tasks: z.number().int(),
      /** island of the stored layout */
      x: z.number(),
      y: z.number(),
      radius: z.number(),
      /** sum of predicted variance, its share of the whole, picks in the newest batch */
      variance: z.number(),
      held: z.number(),
      picks: z.number().int(),
    }),
  ),
  nodes: z.object({
    id: z.array(z.string()),
    key: z.array(z.string()),
    /** index into environments */
    environment: z.array(z.number().int()),
    x: z.array(z.number()),
    y: z.array(z.number()),
    predictedVariance: z.array(z.number()),
    ability: z.array(z.number()),
    groups: z.array(z.number().int()),
    /** in the newest batch */
    picked: z.array(z.boolean()),
  }),
  /** indices into nodes; weights 0 to 1 */
  edges: z.object({
    source: z.array(z.number().int()),
    target: z.array(z.number().int()),
    kind: z.array(z.enum(['within', 'cross'])),
    weight: z.array(z.number()),
  }),
  counts: z.object({ within: z.number().int(), cross: z.number().int() }),
})
export type GraphView = z.infer<typeof graph>

export const graphQuery = z.object({
  kinds: z.string().optional(),
  minWeight: z.coerce.number().min(0).max(1).default(0),
  format: z.enum(['json', 'gexf', 'csv']).default('json'),
})
