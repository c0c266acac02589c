/* Owns how an amount of storage is written: the unit that keeps it short, thousands of bytes as everywhere on the page. */
import { formatFixed } from './format'

const STEPS = [
  { unit: 'GB', size: 1e9 },
  { unit: 'MB', size: 1e6 },
  { unit: 'kB', size: 1e3 },
] as const

export interface Amount {
  figure: string
  unit: string
}

/** "1.9" and "GB"; one decimal under 100, none from there on; bytes stay whole. `absent` is for what is not known. */
export function amountOf(bytes: number | null | undefined, absent: string): Amount {
  if (bytes === null || bytes === undefined || !Number.isFinite(bytes)) return { figure: absent, unit: '' }
  const size = Math.abs(bytes)
  // 999 950 is "1.0 MB", not "1 000 kB"
  const step = STEPS.find((one) => size >= one.size * 0.99995)
  if (step === undefined) return { figure: formatFixed(bytes, 0), unit: 'B' }
  const value = bytes / step.size
  return { figure: formatFixed(value, Math.abs(value) < 99.95 ? 1 : 0), unit: step.unit }
}

export function formatBytes(bytes: number | null | undefined, absent: string): string {
  const { figure, unit } = amountOf(bytes, absent)
  return unit === '' ? figure : `${figure}\u00a0${unit}`
}
