/**
 * Samples by name and what is said of them. Owns: quantiles and the unit that times are compared with.
 * Units: milliseconds; `ratio` is a median over the reference of the same run, so that slow machines can be compared.
 */
export type Samples = Record<string, number[]>

export interface Figure {
  name: string
  count: number
  p50: number
  p99: number
  most: number
  /** p50 over the reference of this run; null where there is none */
  ratio: number | null
}

/** Nearest rank of a share of 0 to 1; null of nothing. */
export function quantile(values: readonly number[], share: number): number | null {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null
}

export function addSample(samples: Samples, name: string, value: number): void {
  const list = samples[name]
  if (list === undefined) samples[name] = [value]
  else list.push(value)
}

/** In the order of the names; what was never timed is left out. */
export function figuresOf(samples: Samples, reference: number | null): Figure[] {
  return Object.entries(samples).flatMap(([name, values]) => {
    const p50 = quantile(values, 0.5)
    const p99 = quantile(values, 0.99)
    const most = quantile(values, 1)
    if (p50 === null || p99 === null || most === null) return []
    return [{ name, count: values.length, p50, p99, most, ratio: ratioOf(p50, reference) }]
  })
}

function ratioOf(value: number, reference: number | null): number | null {
  return reference === null || !(reference > 0) ? null : value / reference
}
