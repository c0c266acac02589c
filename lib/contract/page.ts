/**
 * Lists and errors: the two shapes every endpoint shares.
 * Owns: `{ items, next, total }` and `{ error }`. Must never know what is listed.
 */
import { z } from 'zod'
import { queryWhole } from './bounds'

/** Of what is one table: the same as CSV. */
export const tableQuery = z.object({ format: z.enum(['json', 'csv']).default('json') })

/** `next` is a cursor for `?cursor=`, or null at the end; `total` counts all that match the filters. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), next: z.string().nullable(), total: z.number().int() })
}

export interface List<T> {
  items: T[]
  next: string | null
  total: number
}

export const listQuery = z.object({
  limit: queryWhole(1, 1000).default(100),
  cursor: z
    .string()
    .regex(/^\d{1,9}$/, 'give the "next" of the page before')
    .optional(),
  format: tableQuery.shape.format,
})
export type ListQuery = z.infer<typeof listQuery>

export const errorBody = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    issues: z.array(z.object({ path: z.string(), message: z.string() })),
  }),
})
export type ErrorBody = z.infer<typeof errorBody>
