/**
 * Seeded randomness of the testbed.
 * Owns: the generator (mulberry32) and the draws made from it. Must never know worlds or policies.
 * Invariant: the same seed gives the same draws on every machine; nothing here reads a clock or Math.random.
 */
export type Random = () => number

/** A stream of numbers in [0, 1). `seed`: any integer; only its low 32 bits count. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** A 32-bit seed from two integers, so that neighbouring steps or streams share nothing. */
export function mixSeed(a: number, b: number): number {
  let h = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b + 0x165667b1, 0xc2b2ae35)
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d)
  return (h ^ (h >>> 15)) >>> 0
}

/** Standard normal draw (Box and Muller, one of the pair). */
export function gaussian(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

/** Integer in [0, count). */
export function integerBelow(random: Random, count: number): number {
  return Math.floor(random() * count)
}

/** Shuffles in place (Fisher and Yates) and returns the same array. */
export function shuffle<T>(items: T[], random: Random): T[] {
  for (let i = items.length - 1; i > 0; i--) {
    const j = integerBelow(random, i + 1)
    const held = items[i]!
    items[i] = items[j]!
    items[j] = held
  }
  return items
}

/** Gamma draw of the given shape, scale 1 (Marsaglia and Tsang). `shape` > 0. */
function gammaDraw(random: Random, shape: number): number {
  if (shape < 1) return gammaDraw(random, shape + 1) * random() ** (1 / shape)
  const d = shape - 1 / 3
  const c = 1 / Math.sqrt(9 * d)
  for (;;) {
    const x = gaussian(random)
    const v = (1 + c * x) ** 3
    if (v <= 0) continue
    if (Math.log(1 - random()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v
  }
}

/** Beta draw, in (0, 1). Both shapes > 0. */
export function betaDraw(random: Random, a: number, b: number): number {
  const x = gammaDraw(random, a)
  return x / (x + gammaDraw(random, b))
}
