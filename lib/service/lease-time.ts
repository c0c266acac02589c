/**
 * How long a lease lasts (decided.md 7): as configured, else ten times the median step, one hour at least.
 * The reporter's gaps stand for the step; units are seconds.
 */
import type { RunRow } from '@/lib/store/run'
import { parseStoredConfig } from './run-config'

const LEAST_SECONDS = 3600
const STEPS = 10

export function leaseSeconds(run: RunRow): number {
  const configured = parseStoredConfig(run.config).leaseSeconds
  if (configured !== null) return configured
  const step = median(run.reportGaps)
  return step === null ? LEAST_SECONDS : Math.max(LEAST_SECONDS, STEPS * step)
}

/** null for an empty list. */
export function median(values: readonly number[]): number | null {
  if (values.length === 0) return null
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const high = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? Number.NaN) + high) / 2
}
