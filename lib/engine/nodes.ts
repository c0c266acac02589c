/**
 * Expectations of functions of a success probability whose logit is normal, by seven nodes.
 * Invariants: weights sum to 1, the nodes have mean 0 and variance 1; a deviation counts up to `MOST_DEVIATION`.
 */
const PLACES = [-2.1, -1.4, -0.7, 0, 0.7, 1.4, 2.1]
const RAW = PLACES.map((z) => Math.exp((-z * z) / 2))
const TOTAL = RAW.reduce((sum, w) => sum + w, 0)
const SCALE = Math.sqrt(PLACES.reduce((sum, z, k) => sum + (z * z * RAW[k]!) / TOTAL, 0))

export const NODE_WEIGHTS: readonly number[] = RAW.map((w) => w / TOTAL)
export const NODES: readonly number[] = PLACES.map((z) => z / SCALE)
export const MOST_DEVIATION = 3

/** 1 / (1 + e^-x), strictly inside (0, 1) for every finite x. */
export function sigmoid(x: number): number {
  const bounded = Math.max(-30, Math.min(30, x))
  return 1 / (1 + Math.exp(-bounded))
}

/** Success probabilities at the nodes of logit q ~ N(mean, deviation^2). `into`: where they are put, one a node. */
export function placesOf(mean: number, deviation: number, into = new Float64Array(NODES.length)): Float64Array {
  const sd = Math.min(deviation, MOST_DEVIATION)
  for (let k = 0; k < NODES.length; k++) into[k] = sigmoid(mean + NODES[k]! * sd)
  return into
}

/** E[g(q)] over `places`: where several are asked for of one task. */
export function expectOver(places: Float64Array, g: (q: number) => number): number {
  let sum = 0
  for (let k = 0; k < NODES.length; k++) sum += NODE_WEIGHTS[k]! * g(places[k]!)
  return sum
}

/** E[g(q)] for logit q ~ N(mean, deviation^2). */
export function expect(mean: number, deviation: number, g: (q: number) => number): number {
  const sd = Math.min(deviation, MOST_DEVIATION)
  let sum = 0
  for (let k = 0; k < NODES.length; k++) sum += NODE_WEIGHTS[k]! * g(sigmoid(mean + NODES[k]! * sd))
  return sum
}
