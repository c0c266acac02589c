/* Owns the ticks of an axis: round steps that cover the data. Invariant: ticks ascend and hold both ends of the domain. */

const STEPS = [1, 2, 2.5, 5, 10]

/** Lowest and highest tick cover [low, high]; about `count` ticks, 3 to 6. */
export function niceTicks(low: number, high: number, count = 4): number[] {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [0, 0.5, 1]
  const span = high > low ? high - low : Math.max(Math.abs(high), 1) * 0.2
  const raw = span / Math.max(1, count - 1)
  const power = 10 ** Math.floor(Math.log10(raw))
  const step = (STEPS.find((s) => s * power >= raw) ?? 10) * power
  const first = Math.floor(low / step + 1e-9)
  const last = Math.max(first + 1, Math.ceil(high / step - 1e-9))
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)))
}

/** Up to `count` whole x values from first to last, ends included. */
export function stepTicks(first: number, last: number, count: number): number[] {
  if (last <= first) return [first]
  const parts = Math.min(count - 1, last - first)
  const ticks = Array.from({ length: parts + 1 }, (_, i) => Math.round(first + ((last - first) * i) / parts))
  return [...new Set(ticks)]
}

/** Decimals that write every step of the ticks exactly, three at most; `scale` is what they are multiplied by to be written. */
export function tickDecimals(ticks: readonly number[], scale = 1): number {
  const step = Math.abs((ticks[1] ?? 1) - (ticks[0] ?? 0)) * scale
  const exact = [0, 1, 2].find((decimals) => Math.abs(step * 10 ** decimals - Math.round(step * 10 ** decimals)) < 1e-6)
  return exact ?? 3
}

/** Round x values inside [first, last] that are far apart, with the first one. */
export function roundTicks(first: number, last: number, count: number): number[] {
  const inside = niceTicks(first, last, count + 1).filter(
    (tick) => tick > first + (last - first) * 0.24 && tick <= last,
  )
  return [first, ...inside]
}
