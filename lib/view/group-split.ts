/**
 * What separates the solved rollouts of a group from the failed ones, as far as the trainer's reward components tell.
 * Invariant: a check is said to split a group only when its values do so without exception; the reward told again, alone or
 * under its own name, explains nothing; null and missing values are unknown, never 0.
 */
import type { Sibling } from '@/lib/contract/rollout-group'

export type GroupSplit =
  /** fewer than two trusted rollouts, or all rewards equal */
  | { kind: 'alike' }
  /** no rollout has components */
  | { kind: 'absent' }
  /** all that was sent is the reward again */
  | { kind: 'reward' }
  /** in the order reported */
  | { kind: 'splits'; names: string[] }
  /** right for some, more than calling all of them alike would be */
  | { kind: 'closest'; name: string; right: number; of: number }
  /** graded rewards: the component that goes with them most closely, -1 to 1 */
  | { kind: 'goes'; name: string; correlation: number }
  | { kind: 'none' }

type Trusted = Sibling & { fill: number }
/** Least correlation that is worth a word, and fewest rollouts that can show one. */
const WORTH = 0.5
const FEW = 4
/** Names under which trainers send the reward a second time. */
const TOTALS = /^(the )?(total|final|overall)?[ _-]?(reward|score|outcome|total|success)$/i

const isTrusted = (sibling: Sibling): sibling is Trusted => sibling.fill !== null && Number.isFinite(sibling.fill)

export const trustedOf = (siblings: readonly Sibling[]): Trusted[] => siblings.filter(isTrusted)

export function groupSplit(siblings: readonly Sibling[]): GroupSplit {
  const trusted = trustedOf(siblings)
  const fills = trusted.map(({ fill }) => fill)
  if (trusted.length < 2 || fills.every((fill) => fill === fills[0])) return { kind: 'alike' }
  const columns = columnsOf(trusted)
  if (columns.size === 0) return { kind: 'absent' }
  const alone = columns.size === 1
  const checks = new Map(
    [...columns].filter(([name, values]) => !((alone || TOTALS.test(name)) && isReward(values, trusted))),
  )
  if (checks.size === 0) return { kind: 'reward' }
  return fills.every((fill) => fill === 0 || fill === 1) ? splitOf(checks, fills) : closestTo(checks, fills)
}

/** Values of each component over the rollouts, null where it is missing or no number. */
function columnsOf(trusted: readonly Trusted[]): Map<string, (number | null)[]> {
  const columns = new Map<string, (number | null)[]>()
  for (const [at, { rewardComponents }] of trusted.entries()) {
    for (const { name, value } of rewardComponents) {
      const column = columns.get(name) ?? trusted.map(() => null)
      if (column[at] === null) column[at] = value !== null && Number.isFinite(value) ? value : null
      columns.set(name, column)
    }
  }
  return columns
}

const isReward = (values: readonly (number | null)[], trusted: readonly Trusted[]) =>
  values.every((value, at) => value !== null && Math.abs(value - (trusted[at]?.reward ?? Number.NaN)) < 1e-9)

function splitOf(checks: ReadonlyMap<string, (number | null)[]>, fills: readonly number[]): GroupSplit {
  const solved = fills.filter((fill) => fill === 1).length
  let best: { name: string; right: number } | null = null
  const names: string[] = []
  for (const [name, values] of checks) {
    if (values.includes(null)) continue
    const right = rightBy(values as number[], fills)
    if (right === fills.length) names.push(name)
    if (best === null || right > best.right) best = { name, right }
  }
  if (names.length > 0) return { kind: 'splits', names }
  const majority = Math.max(solved, fills.length - solved)
  if (best === null || best.right <= majority) return { kind: 'none' }
  return { kind: 'closest', ...best, of: fills.length }
}

/** Rollouts on the right side of the best cut through the values, either way round. */
function rightBy(values: readonly number[], fills: readonly number[]): number {
  let most = 0
  for (const cut of new Set(values)) {
    const above = values.filter((value, at) => value >= cut === (fills[at] === 1)).length
    most = Math.max(most, above, values.length - above)
  }
  return most
}

function closestTo(checks: ReadonlyMap<string, (number | null)[]>, fills: readonly number[]): GroupSplit {
  let best: { name: string; correlation: number } | null = null
  if (fills.length < FEW) return { kind: 'none' }
  for (const [name, values] of checks) {
    if (values.includes(null)) continue
    const correlation = correlationOf(values as number[], fills)
    if (correlation !== null && Math.abs(correlation) > Math.abs(best?.correlation ?? 0)) best = { name, correlation }
  }
  if (best === null || Math.abs(best.correlation) < WORTH) return { kind: 'none' }
  return { kind: 'goes', ...best }
}

/** Pearson's, null where one side does not vary. */
function correlationOf(a: readonly number[], b: readonly number[]): number | null {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [ma, mb] = [mean(a), mean(b)]
  const sum = (of: (at: number) => number) => a.reduce((total, _, at) => total + of(at), 0)
  const da = (at: number) => (a[at] ?? ma) - ma
  const db = (at: number) => (b[at] ?? mb) - mb
  const width = Math.sqrt(sum((at) => da(at) ** 2) * sum((at) => db(at) ** 2))
  return width > 0 && Number.isFinite(width) ? sum((at) => da(at) * db(at)) / width : null
}
