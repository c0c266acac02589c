/**
 * The field once more, slowly: every effect in one full covariance, plain arrays, Gaussian elimination, bisection, and each group's part
 * of the mean carried forward instead of traced back.
 * `restricted`: other environments' blocks are left alone by an update, as the engine does. Without it: the full update.
 */
import { FIELD_SETTINGS } from '@/lib/engine/field-settings'
import { expect as expectation } from '@/lib/engine/nodes'
import type { Structure } from '@/lib/engine/structure'
import { bookGroup, emptyBook, ratioOf } from '@/lib/engine/variance-book'
import type { Step } from '@/tests/support/random-set'

type Matrix = number[][]

function zeros(rows: number, columns: number): Matrix {
  return Array.from({ length: rows }, () => new Array<number>(columns).fill(0))
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
  /** credit[i][g]: part of task i's mean (beyond the prior mean) that group g holds */
  credit: Matrix
}

export function denseOracle(structure: Structure, steps: readonly Step[], restricted: boolean): Oracle {
  const s = FIELD_SETTINGS
  const { tasks, environments, environmentOf, within, cross, hubs } = structure
  const prior: number[] = [s.deviation.baseline ** 2, s.deviation.slope ** 2]
  const walk: number[] = [s.walk.baseline ** 2, s.walk.slope ** 2]
  for (const hub of hubs.cross) {
    prior.push(s.deviation.cross[hub.kind] ** 2)
    walk.push(s.walk.cross ** 2)
  }
  const n = prior.length
  const blocks: number[][] = hubs.within.map((list) => {
    const block = [prior.length]
    prior.push(s.deviation.environment ** 2)
    walk.push(s.walk.environment ** 2)
    for (const hub of list) {
      block.push(prior.length)
      prior.push(s.deviation.within[hub.kind] ** 2)
      walk.push(s.walk.within ** 2)
    }
    return block
  })
  const D = prior.length
  const H = Array.from({ length: tasks }, (_, i) => {
    const h = new Array<number>(D).fill(0)
    h[0] = 1
    const length = structure.lengthOf[i]!
    h[1] = length === 0 ? 0 : Math.min(length, s.slopeLongest) - s.slopeCentre
    for (let k = cross.start[i]!; k < cross.start[i + 1]!; k++) h[2 + cross.index[k]!] = cross.value[k]!
    const block = blocks[environmentOf[i]!]!
    h[block[0]!] = 1
    for (let k = within.start[i]!; k < within.start[i + 1]!; k++) h[block[1 + within.index[k]!]!] = within.value[k]!
    return h
  })
  const all = Array.from({ length: n }, (_, d) => d)
  const touched = blocks.map((_, e) => all.filter((d) => H.some((h, i) => environmentOf[i] === e && h[d] !== 0)))
  const C = zeros(D, D)
  for (let d = 0; d < D; d++) C[d]![d] = prior[d]!
  const taskVariance = new Array<number>(tasks).fill(s.deviation.task ** 2)
  const part = zeros(D, steps.length)
  const taskPart = zeros(tasks, steps.length)
  const dead = new Array<number>(tasks).fill(Math.log(s.dead / (1 - s.dead)))
  const book = emptyBook(tasks, environments)
  const noise = (variance: number, p: number, q: number) => q * Math.max(0, Math.min(1, 1 - variance / p))
  const pick = (rows: readonly number[], columns: readonly number[]) => rows.map((r) => columns.map((c) => C[r]![c]!))
  const meanOf = (i: number, g: number) => H[i]!.reduce((sum, h, d) => sum + h * part[d]![g]!, taskPart[i]![g]!)
  const total = (i: number) => steps.reduce((sum, _, g) => sum + meanOf(i, g), s.priorMean)

  /** Block e follows the common effects `by` as `regression` (block x by) says, whatever the common covariance now is. */
  const follow = (e: number, by: readonly number[], regression: Matrix) => {
    blocks[e]!.forEach((b, k) => {
      for (const d of all) {
        const value = by.reduce((sum, t, q) => sum + C[d]![t]! * regression[k]![q]!, 0)
        C[d]![b] = value
        C[b]![d] = value
      }
    })
  }
  const transpose = (m: Matrix, columns: number) => Array.from({ length: columns }, (_, c) => m.map((row) => row[c]!))

  const advance = () => {
    const q = prior.map((p, d) => noise(C[d]![d]!, p, walk[d]!))
    if (restricted) {
      const moved = blocks.map((block, e) => {
        const by = touched[e]!
        const a = pick(by, by)
        by.forEach((d, k) => {
          a[k]![k]! += q[d]!
        })
        return transpose(solve(a, pick(by, block)), block.length)
      })
      for (const d of all) C[d]![d]! += q[d]!
      blocks.forEach((block, e) => {
        follow(e, touched[e]!, moved[e]!)
        for (const b of block) C[b]![b]! += q[b]!
      })
    } else for (let d = 0; d < D; d++) C[d]![d]! += q[d]!
    for (let i = 0; i < tasks; i++) {
      taskVariance[i]! += noise(taskVariance[i]!, s.deviation.task ** 2, s.walk.task ** 2)
      const rest = Math.log(s.dead / (1 - s.dead))
      if (dead[i]! > rest) dead[i] = dead[i]! + (rest - dead[i]!) * s.deadRelax
    }
  }

  steps.forEach(({ advance: versions, group }, g) => {
    for (let v = 0; v < versions; v++) advance()
    const i = group.task
    const e = environmentOf[i]!
    const size = group.trusted
    const mean = group.sum / size
    const biased = group.sumSquares / size - mean * mean
    const binary = Math.abs(group.sumSquares - group.sum) < 1e-9
    const variance = size > 1 ? (biased * size) / (size - 1) : 0
    const h = H[i]!
    const gain = C.map((row) => row.reduce((sum, c, d) => sum + c * h[d]!, 0))
    const S = gain.reduce((sum, x, d) => sum + x * h[d]!, 0) + taskVariance[i]!
    const before = total(i)
    if (mean === 0) {
      const chance = expectation(before, Math.sqrt(S), (q) => (1 - q) ** size)
      dead[i] = Math.min(s.deadMost, dead[i]! - Math.log(chance))
    } else dead[i] = Math.min(dead[i]!, s.deadSolved)
    bookGroup(book, { task: i, environment: e, size, mean, variance, binary }, structure.tasksOf[e]!)
    const worth = size / (1 + Math.exp(dead[i]!)) / Math.max(0.25, Math.min(1, ratioOf(book, e)))
    let low = before - 60
    let high = before + 60
    for (let round = 0; round < 200; round++) {
      const x = (low + high) / 2
      if ((before - x) / S + worth * (mean - 1 / (1 + Math.exp(-x))) > 0) low = x
      else high = x
    }
    const mode = (low + high) / 2
    const q = 1 / (1 + Math.exp(-mode))
    const observation = 1 / (worth * Math.max(q * (1 - q), s.leastInformation))
    const scale = S + observation
    const target = before - s.priorMean + ((mode - before) * scale) / S
    const others = blocks.map((block, o) =>
      o === e || !restricted ? null : transpose(solve(pick(all, all), pick(all, block)), block.length),
    )
    const moves = restricted ? [...all, ...blocks[e]!] : gain.map((_, d) => d)
    for (let k = 0; k <= g; k++) {
      const shift = ((k === g ? target : 0) - meanOf(i, k)) / scale
      for (const d of moves) part[d]![k]! += gain[d]! * shift
      taskPart[i]![k]! += taskVariance[i]! * shift
    }
    for (const a of moves) for (const b of moves) C[a]![b]! -= (gain[a]! * gain[b]!) / scale
    others.forEach((regression, o) => {
      if (regression !== null) follow(o, all, regression)
    })
    taskVariance[i]! -= taskVariance[i]! ** 2 / scale
  })
  const every = Array.from({ length: tasks }, (_, i) => i)
  return {
    mean: every.map(total),
    variance: every.map((i) => {
      const row = C.map((c) => c.reduce((sum, x, d) => sum + x * H[i]![d]!, 0))
      return row.reduce((sum, x, d) => sum + x * H[i]![d]!, 0) + taskVariance[i]!
    }),
    credit: every.map((i) => steps.map((_, g) => meanOf(i, g))),
  }
}
