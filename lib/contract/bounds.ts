/**
 * What can be stored at all: whole numbers, reward sizes and names, for every contract that takes them from outside.
 * Must never know: what they mean. Invariant: what passes here is stored as it is, on SQLite and on PostgreSQL.
 */
import { z } from 'zod'

/** The largest whole number that both databases hold in a column of their own. */
export const MOST_WHOLE = 2_147_483_647

/** Rewards beyond this are no rewards: their squares would drown all others of the environment. */
export const MOST_REWARD = 1e12

/** A whole number from 0 on. */
export const whole = z.number().int().min(0).max(MOST_WHOLE)

/** Brackets inside each other that are taken: all JSON is written by recursion, and nothing real is as deep. */
const MOST_DEPTH = 500

function isWithin(depth: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  return depth > 0 && Object.values(value).every((inner) => isWithin(depth - 1, inner))
}

/** Whether a value of any shape can be written as JSON again. */
export const isShallow = (value: unknown) => isWithin(MOST_DEPTH, value)
export const TOO_DEEP = `has more than ${MOST_DEPTH} brackets inside each other`

/** A name of 1 to `most` characters that reads back as it was written: no NUL, no half of a surrogate pair. */
export const nameOf = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .refine((text) => !/\0|\p{Surrogate}/u.test(text), 'holds a character that cannot be stored')

/** A whole number of a query, `low` to `high`. What is no run of digits ("", "1e3", " 5") is none. */
export const queryWhole = (low: number, high = 999_999_999) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'is no whole number')
    .transform(Number)
    .pipe(z.number().min(low).max(high))
    .meta({ type: 'integer', minimum: low, maximum: high })
