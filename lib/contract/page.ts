/**
 * Lists and errors: the two shapes every endpoint shares.
 * Owns: `{ items, next, total }` and `{ error }`. Must never know what is listed.
 */
import { z } from 'zod'

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
  limit: z.coerce.number().int().min(1).max(1000).default(100),
  cursor: z
    .string()
    .regex(/^\d{1,9}$/, 'give the "next" of the page before')
    .optional(),
  format: z.enum(['json', 'csv']).default('json'),
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
