/**
 * The policy version that a rollout row tells, under any of the names that trainers give it.
 * Invariant: 0 is a version; what is no whole number from 0 on is none, never a made-up one.
 */
import { asCount, type Row } from './untyped'

const NAMES = ['policy_version', 'policyVersion', 'weights_version', 'global_step', 'step'] as const

/** The column that tells the version, or null where none does. */
export function versionColumn(row: Row): string | null {
  return NAMES.find((name) => whole(row[name]) !== null) ?? null
}

export function versionOf(row: Row): number | null {
  const name = versionColumn(row)
  return name === null ? null : whole(row[name])
}

/** Files write the same number as a number or as a text. */
function whole(value: unknown): number | null {
  const count = asCount(typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value)
  return count !== null && Number.isSafeInteger(count) ? count : null
}
