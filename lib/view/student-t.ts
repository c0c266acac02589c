/* Owns Student's t: distribution and quantile, also for degrees of freedom that are no whole number.
   Invariant: exact to 1e-10 for 0.5 degrees of freedom and more; what is no number, or below that, gives NaN. */

const LANCZOS = [
  676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
  -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
]

/** ln of the gamma function, x > 0. */
export function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x)
  const z = x - 1
  const base = z + 7.5
  const sum = LANCZOS.reduce((acc, coefficient, i) => acc + coefficient / (z + i + 1), 0.9999999999998099)
  return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(base) - base + Math.log(sum)
}

const TINY = 1e-300

// Continued fraction of the incomplete beta function, by Lentz.
function betaFraction(x: number, a: number, b: number): number {
  const apart = (value: number) => (Math.abs(value) < TINY ? TINY : value)
  let c = 1
  let d = 1 / apart(1 - ((a + b) * x) / (a + 1))
  let result = d
  for (let m = 1; m <= 500; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / apart(1 + even * d)
    c = apart(1 + even / c)
    result *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / apart(1 + odd * d)
    c = apart(1 + odd / c)
    const step = d * c
    result *= step
    if (Math.abs(step - 1) < 1e-15) break
  }
  return result
}

/** Regularised incomplete beta function, x in 0 to 1, a and b above 0. */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) - (logGamma(a) + logGamma(b) - logGamma(a + b)))
  return x < (a + 1) / (a + b + 2) ? (front * betaFraction(x, a, b)) / a : 1 - (front * betaFraction(1 - x, b, a)) / b
}

/** P(T <= t). */
export function studentCdf(t: number, freedom: number): number {
  if (!(freedom > 0) || Number.isNaN(t)) return Number.NaN
  const tail = 0.5 * incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5)
  return t > 0 ? 1 - tail : tail
}

/** The t that `p`, between 0 and 1, lies below: 12.706 for .975 and 1 degree of freedom. By halving: it never runs away. */
export function studentQuantile(p: number, freedom: number): number {
  if (!(p > 0 && p < 1) || !(freedom >= 0.5)) return Number.NaN
  if (p === 0.5) return 0
  if (p < 0.5) return -studentQuantile(1 - p, freedom)
  // Tails, since 1 - p is what keeps its digits.
  const tail = (t: number) => 0.5 * incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5)
  let high = 1
  while (tail(high) > 1 - p && high < 1e12) high *= 2
  let low = 0
  for (let i = 0; i < 200 && high - low > 1e-13 * high; i += 1) {
    const middle = (low + high) / 2
    if (tail(middle) > 1 - p) low = middle
    else high = middle
  }
  return (low + high) / 2
}
