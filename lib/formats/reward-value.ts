/**
 * A reward as foreign files write it: a number, a truth value, a text, a list (one a token, or a single value in a list), or parts by
 * name. Invariant: what is missing stays null and what is no number stays a text that the contract distrusts; neither is ever 0.
 */
import { asList, asRow } from './untyped'

export type RewardLike = number | string | null

export interface Part {
  name: string
  value: number | null
}

/** members that hold the whole where a reward is an object */
const WHOLE = ['reward', 'score', 'total', 'value'] as const
const DEEPEST = 4
/** texts that Python's `default=str` makes of a number in a wrapper */
const WRAPPED = /^(?:tensor|(?:np|numpy)\.\w+|array)\(\s*(-?[\d.]+(?:e[-+]?\d+)?)\b/i

export function rewardValue(value: unknown, depth = 0): RewardLike {
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (typeof value === 'bigint') return Number(value)
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'string') return ofText(value)
  if (depth === DEEPEST) return null
  const list = asList(value)
  if (list !== null) return sumOf(list.map((item) => rewardValue(item, depth + 1)))
  const row = asRow(value)
  if (row === null) return null
  const whole = WHOLE.find((name) => row[name] !== undefined && row[name] !== null)
  if (whole !== undefined) return rewardValue(row[whole], depth + 1)
  return sumOf(Object.values(row).map((item) => (typeof item === 'string' ? null : rewardValue(item, depth + 1))))
}

/** The sum of what is there: null where nothing is, the text where one is no number. */
export function sumOf(values: readonly RewardLike[]): RewardLike {
  let sum: number | null = null
  for (const value of values) {
    if (typeof value === 'string') return value
    if (value !== null) sum = (sum ?? 0) + value
  }
  return sum === null || Number.isFinite(sum) ? sum : String(sum)
}

/** Parts of a reward by name, those that are no number null; null where there are none. */
export function partsOf(value: unknown): Part[] | null {
  const row = asRow(value)
  if (row === null) return null
  const parts = Object.entries(row).map(([name, part]) => ({ name, value: finitePart(rewardValue(part)) }))
  return parts.length === 0 ? null : parts
}

export function finitePart(value: RewardLike): number | null {
  return typeof value === 'number' ? value : null
}

function ofText(text: string): RewardLike {
  const plain = text.trim()
  if (plain === '' || /^(?:none|null)$/i.test(plain)) return null
  const number = Number(WRAPPED.exec(plain)?.[1] ?? plain)
  if (Number.isFinite(number)) return number
  if (/^true$/i.test(plain)) return 1
  return /^false$/i.test(plain) ? 0 : text
}
