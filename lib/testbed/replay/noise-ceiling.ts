/**
 * The best rank correlation that any predictor could reach: a group's variance is a noisy draw, so even one that knew every task's
 * chance of success would miss 1.
 * Two ways. `mixture`, where rewards are two-valued: the distribution of chances is fitted to the counts of the groups (nonparametric
 * maximum likelihood on a grid), then groups of the sizes at hand are drawn from it and scored against p (1 - p) of the drawn chance. With few
 * rollouts a group that distribution is not unique, so this is an estimate. `split`, for graded rewards with four rollouts or more:
 * the variances of two halves are correlated, and carried to the whole by Spearman and Brown (for trials that are alike).
 * Null where neither can be had. Source: background/methods 2.2 of the design.
 */

import { mixSeed, type Random, seededRandom, shuffle } from '@/lib/testbed/random'
import type { ReplayGroup } from '@/lib/testbed/replay/ladder'
import { areaUnderCurve, spearman } from '@/lib/testbed/replay/prediction-score'
import { mean } from '@/lib/testbed/training-report'

export interface NoiseCeiling {
  spearman: number
  auc: number | null
  method: 'mixture' | 'split'
}

const GRID = 101
const ROUNDS = 300
const DRAWS = 4000
const REPEATS = 8
/** share of groups with other than two values that are still taken for two-valued */
const GRADED = 0.05
const LEAST_GROUPS = 20
const LEAST_SPLIT = 4

interface Counts {
  size: number
  solved: number
  groups: number
}

/** Normalised rewards are 0 or 1: then mean times size is a whole number and the variance follows from it. */
function isBinary({ rewards, mean: m, variance }: ReplayGroup): boolean {
  const n = rewards.length
  return Math.abs(variance - (m * (1 - m) * n) / (n - 1)) < 1e-9 && Math.abs(m * n - Math.round(m * n)) < 1e-9
}

function countsOf(groups: readonly ReplayGroup[]): Counts[] {
  const counts = new Map<string, Counts>()
  for (const { rewards, mean: m } of groups) {
    const size = rewards.length
    const solved = Math.round(m * size)
    const known = counts.get(`${size} ${solved}`)
    if (known === undefined) counts.set(`${size} ${solved}`, { size, solved, groups: 1 })
    else known.groups++
  }
  return [...counts.values()]
}

/** Chances and their weights that make the counts most likely. */
function mixtureOf(counts: readonly Counts[]): { chance: number[]; weight: Float64Array } {
  const chance = Array.from({ length: GRID }, (_, g) => (1 - Math.cos((Math.PI * g) / (GRID - 1))) / 2)
  const likely = counts.map(({ size, solved }) => chance.map((p) => p ** solved * (1 - p) ** (size - solved)))
  const total = counts.reduce((sum, { groups }) => sum + groups, 0)
  let weight = new Float64Array(GRID).fill(1 / GRID)
  for (let round = 0; round < ROUNDS; round++) {
    const next = new Float64Array(GRID)
    counts.forEach(({ groups }, c) => {
      const of = likely[c]!
      const whole = of.reduce((sum, l, g) => sum + l * weight[g]!, 0)
      if (whole > 0) for (let g = 0; g < GRID; g++) next[g]! += (groups / total) * ((of[g]! * weight[g]!) / whole)
    })
    weight = next
  }
  return { chance, weight }
}

function pick(weight: Float64Array, random: Random): number {
  let left = random()
  for (let g = 0; g < weight.length - 1; g++) {
    left -= weight[g]!
    if (left <= 0) return g
  }
  return weight.length - 1
}

function fromMixture(groups: readonly ReplayGroup[], random: Random): NoiseCeiling | null {
  const { chance, weight } = mixtureOf(countsOf(groups))
  const ranks: number[] = []
  const areas: number[] = []
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const known: number[] = []
    const drawn: number[] = []
    for (let draw = 0; draw < DRAWS; draw++) {
      const p = chance[pick(weight, random)]!
      const size = groups[Math.floor(random() * groups.length)]!.rewards.length
      let solved = 0
      for (let k = 0; k < size; k++) if (random() < p) solved++
      known.push(p * (1 - p))
      drawn.push((solved * (size - solved)) / (size * (size - 1)))
    }
    const rank = spearman(known, drawn)
    const area = areaUnderCurve(
      known,
      drawn.map((variance) => variance > 0),
    )
    if (rank !== null) ranks.push(rank)
    if (area !== null) areas.push(area)
  }
  if (ranks.length === 0) return null
  return { spearman: mean(ranks), auc: areas.length > 0 ? mean(areas) : null, method: 'mixture' }
}

function spread(values: readonly number[]): number {
  const middle = mean(values)
  return values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1)
}

function fromSplit(groups: readonly ReplayGroup[], random: Random): NoiseCeiling | null {
  const long = groups.filter(({ rewards }) => rewards.length >= LEAST_SPLIT)
  if (long.length < LEAST_GROUPS) return null
  const found: number[] = []
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const halves = long.map(({ rewards, variance }) => {
      const mixed = shuffle([...rewards], random)
      const middle = Math.floor(mixed.length / 2)
      const whole = spread(rewards)
      // raw spread to normalised: environments have ranges of their own
      const scale = whole > 0 ? variance / whole : 0
      return [scale * spread(mixed.slice(0, middle)), scale * spread(mixed.slice(middle))] as const
    })
    const one = spearman(
      halves.map(([half]) => half),
      halves.map(([, half]) => half),
    )
    if (one !== null) found.push(one)
  }
  const half = found.length > 0 ? mean(found) : 0
  return half > 0 ? { spearman: Math.sqrt((2 * half) / (1 + half)), auc: null, method: 'split' } : null
}

/** From groups as uniform choice meets them. Null where there are too few, or graded ones too short to split. */
export function noiseCeiling(groups: readonly ReplayGroup[], seed: number): NoiseCeiling | null {
  if (groups.length < LEAST_GROUPS) return null
  const random = seededRandom(mixSeed(seed, 31))
  const graded = groups.filter((group) => !isBinary(group)).length
  return graded <= GRADED * groups.length ? fromMixture(groups, random) : fromSplit(groups, random)
}
