/**
 * The field once more, slowly: every effect in one full covariance, plain arrays, Gaussian elimination, bisection, and each group's part
 * of the mean carried forward instead of traced back. Drift is F P F' on the whole covariance.
 * `restricted`: other environments' blocks are left alone by an update, as the engine does. Without it: the full update.
 */
import type { FieldSettings } from '@/lib/engine/field-settings'
import { expect as expectation } from '@/lib/engine/nodes'
import type { Structure } from '@/lib/engine/structure'
import { bookGroup, emptyBook, ratioOf } from '@/lib/engine/variance-book'
import { type DenseEffects, denseEffects, denseLine } from '@/tests/support/dense-effects'
import type { Step } from '@/tests/support/random-set'

type Matrix = number[][]

function zeros(rows: number, columns: number): Matrix {
  return Array.from({ length: rows }, () => new Array<number>(columns).fill(0))
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, x, d) => sum + x * b[d]!, 0)
}

function transpose(m: Matrix, columns: number): Matrix {
  return Array.from({ length: columns }, (_, c) => m.map((row) => row[c]!))
}

/** X with A X = B. */
function solve(a: Matrix, b: Matrix): Matrix {
  const n = a.length
  const left = a.map((row) => [...row])
  const right = b.map((row) => [...row])
  for (let c = 0; c < n; c++) {
    let pivot = c
    for (let r = c + 1; r < n; r++) if (Math.abs(left[r]![c]!) > Math.abs(left[pivot]![c]!)) pivot = r
    ;[left[c], left[pivot]] = [left[pivot]!, left[c]!]
    ;[right[c], right[pivot]] = [right[pivot]!, right[c]!]
    for (let r = 0; r < n; r++) {
      if (r === c) continue
      const factor = left[r]![c]! / left[c]![c]!
      if (factor === 0) continue
      for (let k = c; k < n; k++) left[r]![k]! -= factor * left[c]![k]!
      for (let k = 0; k < right[r]!.length; k++) right[r]![k]! -= factor * right[c]![k]!
    }
  }
  return right.map((row, r) => row.map((x) => x / left[r]![r]!))
}

export interface Oracle {
  mean: number[]
  variance: number[]
  /** credit[i][g]: part of task i's logit that group g holds */
  credit: Matrix
  /** covariance[i][j] of the logits of two tasks, own deviations included */
  covariance: (i: number, j: number) => number
}

class Dense {
  private readonly effects: DenseEffects
  /** covariance of all effects; those without a prior stay 0 */
  readonly c: Matrix
  readonly taskVariance: number[]
  /** what each group holds of each effect, and in the last column what the prior means of speeds moved */
  readonly part: Matrix
  readonly taskPart: Matrix
  private readonly dead: number[]
  private readonly book
  private exposure: number[]
  private exposed = 0
  private readonly touched: number[][]

  constructor(
    readonly structure: Structure,
    readonly settings: FieldSettings,
    columns: number,
    readonly restricted: boolean,
  ) {
    this.effects = denseEffects(structure, settings)
    const { prior, blocks, commons } = this.effects
    this.c = zeros(prior.length, prior.length)
    prior.forEach((p, d) => {
      this.c[d]![d] = p
    })
    const { tasks, environments } = structure
    this.taskVariance = new Array<number>(tasks).fill(settings.deviation.task ** 2)
    this.part = zeros(prior.length, columns + 1)
    this.taskPart = zeros(tasks, columns + 1)
    this.dead = new Array<number>(tasks).fill(this.restOdds())
    this.book = emptyBook(tasks, environments)
    this.exposure = new Array<number>(prior.length).fill(0)
    const rows = Array.from({ length: tasks }, (_, i) => this.line(i).row)
    const speeds = new Set(this.effects.speedOf)
    this.touched = blocks.map((_, e) =>
      commons.filter((d) => speeds.has(d) || rows.some((h, i) => structure.environmentOf[i] === e && h[d] !== 0)),
    )
  }

  private restOdds(): number {
    return Math.log(this.settings.dead / (1 - this.settings.dead))
  }

  private sums(rows: Matrix): number[] {
    return rows.map((row) => row.reduce((sum, x) => sum + x, 0))
  }

  line(i: number) {
    const own = this.taskPart[i]!.reduce((sum, x) => sum + x, 0)
    return denseLine(this.structure, this.settings, this.effects, i, this.sums(this.part), own)
  }

  gain(h: readonly number[]): number[] {
    return this.c.map((row) => dot(row, h))
  }

  private pick(rows: readonly number[], columns: readonly number[]): Matrix {
    return rows.map((r) => columns.map((c) => this.c[r]![c]!))
  }

  /** Block e follows the common effects `by` as `regression` (block x by) says, whatever the common covariance now is. */
  private follow(e: number, by: readonly number[], regression: Matrix): void {
    this.effects.blocks[e]!.forEach((b, k) => {
      for (const d of this.effects.commons) {
        const value = by.reduce((sum, t, q) => sum + this.c[d]![t]! * regression[k]![q]!, 0)
        this.c[d]![b] = value
        this.c[b]![d] = value
      }
    })
  }

  /** effect += speed times exposure: F P F' with F = I + sum of x_d e_d e_speed'. A speed below 0 moves no mean. */
  private move(exposure: readonly number[]): void {
    const { speedOf, speedMean, prior } = this.effects
    const means = this.sums(this.part)
    for (const d of prior.keys()) {
      const speed = speedOf[d]!
      if (speed >= 0) this.c[d] = this.c[d]!.map((x, k) => x + exposure[d]! * this.c[speed]![k]!)
    }
    for (const row of this.c) {
      const by = row.slice()
      speedOf.forEach((speed, d) => {
        if (speed >= 0) row[d]! += exposure[d]! * by[speed]!
      })
    }
    speedOf.forEach((speed, d) => {
      if (speed < 0 || exposure[d] === 0 || speedMean[speed]! + means[speed]! <= 0) return
      const part = this.part[d]!
      const of = this.part[speed]!
      for (let g = 0; g < part.length; g++) part[g]! += exposure[d]! * of[g]!
      part[part.length - 1]! += exposure[d]! * speedMean[speed]!
    })
  }

  advance(): void {
    const { prior, walk, blocks, commons } = this.effects
    const exposure = this.exposure.map((x) => (this.exposed === 0 ? 0 : x / this.exposed))
    this.exposure.fill(0)
    this.exposed = 0
    if (exposure.some((x) => x > 0)) this.move(exposure)
    const noise = (variance: number, p: number, q: number) =>
      p > 0 ? q * Math.max(0, Math.min(1, 1 - variance / p)) : 0
    const q = prior.map((p, d) => noise(this.c[d]![d]!, p, walk[d]!) + this.settings.drift.noise * exposure[d]!)
    if (this.restricted) {
      const moved = blocks.map((block, e) => {
        const by = this.touched[e]!
        const a = this.pick(by, by)
        by.forEach((d, k) => {
          a[k]![k]! += q[d]!
        })
        return transpose(solve(a, this.pick(by, block)), block.length)
      })
      for (const d of commons) this.c[d]![d]! += q[d]!
      blocks.forEach((block, e) => {
        this.follow(e, this.touched[e]!, moved[e]!)
        for (const b of block) this.c[b]![b]! += q[b]!
      })
    } else for (let d = 0; d < prior.length; d++) this.c[d]![d]! += q[d]!
    const { deviation, walk: step, deadRelax } = this.settings
    this.taskVariance.forEach((v, i) => {
      this.taskVariance[i]! += noise(v, deviation.task ** 2, step.task ** 2)
      const odds = this.dead[i]!
      if (odds > this.restOdds()) this.dead[i] = odds + (this.restOdds() - odds) * deadRelax
    })
  }

  absorb({ group }: Step, g: number): void {
    const { structure, settings, effects } = this
    const i = group.task
    const e = structure.environmentOf[i]!
    const size = group.trusted
    const mean = group.sum / size
    const biased = group.sumSquares / size - mean * mean
    const binary = Math.abs(group.sumSquares - group.sum) < 1e-9
    const variance = size > 1 ? (biased * size) / (size - 1) : 0
    const { logit: before, row: h } = this.line(i)
    const gain = this.gain(h)
    const S = dot(gain, h) + this.taskVariance[i]!
    if (mean === 0) {
      const chance = expectation(before, Math.sqrt(S), (q) => (1 - q) ** size)
      this.dead[i] = Math.min(settings.deadMost, this.dead[i]! - Math.log(Math.max(chance, 1e-12)))
    } else this.dead[i] = Math.min(this.dead[i]!, settings.deadSolved)
    bookGroup(this.book, { task: i, environment: e, size, mean, variance, binary }, structure.tasksOf[e]!)
    const worth = size / (1 + Math.exp(this.dead[i]!)) / Math.max(0.25, Math.min(1, ratioOf(this.book, e)))
    let low = before - 60
    let high = before + 60
    for (let round = 0; round < 200; round++) {
      const x = (low + high) / 2
      if ((before - x) / S + worth * (mean - 1 / (1 + Math.exp(-x))) > 0) low = x
      else high = x
    }
    const mode = (low + high) / 2
    const q = 1 / (1 + Math.exp(-mode))
    const scale = S + 1 / (worth * Math.max(q * (1 - q), settings.leastInformation))
    const along = dot(h, this.sums(this.part)) + this.taskPart[i]!.reduce((sum, x) => sum + x, 0)
    const target = along + ((mode - before) * scale) / S
    this.update(i, g, { h, gain, scale, target })
    this.exposed += 1
    const spread = size > 1 ? Math.sqrt((variance * (size - 1)) / size) : 0
    const after = this.line(i).row
    effects.speedOf.forEach((speed, d) => {
      if (speed >= 0) this.exposure[d]! += spread * Math.max(0, after[d]!)
    })
  }

  private update(i: number, g: number, by: { h: number[]; gain: number[]; scale: number; target: number }): void {
    const { gain, scale, target, h } = by
    const { blocks, commons } = this.effects
    const e = this.structure.environmentOf[i]!
    const others = blocks.map((block, o) =>
      o === e || !this.restricted
        ? null
        : transpose(solve(this.pick(commons, commons), this.pick(commons, block)), block.length),
    )
    const moves = this.restricted ? [...commons, ...blocks[e]!] : gain.map((_, d) => d)
    for (let k = 0; k < this.taskPart[i]!.length; k++) {
      const before = this.part.reduce((sum, part, d) => sum + h[d]! * part[k]!, this.taskPart[i]![k]!)
      const shift = ((k === g ? target : 0) - before) / scale
      for (const d of moves) this.part[d]![k]! += gain[d]! * shift
      this.taskPart[i]![k]! += this.taskVariance[i]! * shift
    }
    for (const a of moves) for (const b of moves) this.c[a]![b]! -= (gain[a]! * gain[b]!) / scale
    others.forEach((regression, o) => {
      if (regression !== null) this.follow(o, commons, regression)
    })
    this.taskVariance[i]! -= this.taskVariance[i]! ** 2 / scale
  }
}

/** `apart`: whether each group's credit is told apart (dear), or all of them are one. */
export function denseOracle(
  structure: Structure,
  settings: FieldSettings,
  steps: readonly Step[],
  restricted: boolean,
  apart = true,
): Oracle {
  const columns = apart ? steps.length : 1
  const dense = new Dense(structure, settings, columns, restricted)
  steps.forEach((step, g) => {
    for (let v = 0; v < step.advance; v++) dense.advance()
    dense.absorb(step, apart ? g : 0)
  })
  const every = Array.from({ length: structure.tasks }, (_, i) => i)
  const lines = every.map((i) => dense.line(i))
  const gains = lines.map(({ row }) => dense.gain(row))
  const covariance = (i: number, j: number) => dot(gains[i]!, lines[j]!.row) + (i === j ? dense.taskVariance[i]! : 0)
  const sources = Array.from({ length: columns }, (_, g) => g)
  return {
    mean: lines.map(({ logit }) => logit),
    variance: every.map((i) => covariance(i, i)),
    credit: every.map((i) => {
      const { row } = lines[i]!
      return sources.map((g) => dense.part.reduce((sum, part, d) => sum + row[d]! * part[g]!, dense.taskPart[i]![g]!))
    }),
    covariance,
  }
}
