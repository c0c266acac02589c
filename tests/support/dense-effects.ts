/**
 * Effects of the dense oracle and how a task's logit depends on them, written down from the formulas: rows over all effects, no sharing
 * of code with the field's layout, rows and line.
 */
import type { FieldSettings } from '@/lib/engine/field-settings'
import type { Hub } from '@/lib/engine/hubs'
import type { Structure } from '@/lib/engine/structure'

export interface DenseEffects {
  prior: number[]
  walk: number[]
  /** effect that says how fast training moves this one, -1 = none */
  speedOf: number[]
  speedMean: number[]
  /** common effects that can move */
  commons: number[]
  cross: number
  blocks: number[][]
}

const SPEEDS = { environment: 2, within: 3, cross: 4 }

export function denseEffects(structure: Structure, settings: FieldSettings): DenseEffects {
  const { deviation, walk: step, drift } = settings
  const prior: number[] = []
  const walk: number[] = []
  const speedOf: number[] = []
  const speedMean: number[] = []
  const add = (sd: number, noise: number, kind: keyof typeof SPEEDS | null) => {
    prior.push(sd ** 2)
    walk.push(noise ** 2)
    speedMean.push(0)
    const driven = kind !== null && sd > 0 && (drift[kind].mean > 0 || drift[kind].deviation > 0)
    speedOf.push(driven ? SPEEDS[kind] : -1)
    return prior.length - 1
  }
  const kindOf = (hub: Hub, kind: 'within' | 'cross') => (hub.kind === 'tool' ? kind : null)
  add(deviation.baseline, step.baseline, null)
  add(deviation.slope, step.slope, null)
  for (const kind of ['environment', 'within', 'cross'] as const)
    speedMean[add(drift[kind].deviation, 0, null)] = drift[kind].mean
  const cross = prior.length
  for (const hub of structure.hubs.cross) add(deviation.cross[hub.kind], step.cross, kindOf(hub, 'cross'))
  const common = prior.length
  const blocks = structure.hubs.within.map((hubs) => [
    add(deviation.environment, step.environment, 'environment'),
    ...hubs.map((hub) => add(deviation.within[hub.kind], step.within, kindOf(hub, 'within'))),
  ])
  const commons = prior.map((_, d) => d).filter((d) => d < common && prior[d]! > 0)
  return { prior, walk, speedOf, speedMean, commons, cross, blocks }
}

/** Logit of a task under these means, and its derivative by each effect (0 for effects that cannot move). */
export function denseLine(
  structure: Structure,
  settings: FieldSettings,
  effects: DenseEffects,
  i: number,
  means: readonly number[],
  own: number,
): { logit: number; row: number[] } {
  const block = effects.blocks[structure.environmentOf[i]!]!
  const { lengthOf, within, cross, steps, hubs } = structure
  const row = means.map(() => 0)
  const along = () => row.reduce((sum, h, d) => sum + h * means[d]!, 0)
  const keepMovable = () => {
    effects.prior.forEach((p, d) => {
      if (p === 0) row[d] = 0
    })
  }
  if (settings.form === 'additive') {
    row[0] = 1
    const length = lengthOf[i]!
    row[1] = length === 0 ? 0 : Math.min(length, settings.slopeLongest) - settings.slopeCentre
    for (let k = cross.start[i]!; k < cross.start[i + 1]!; k++) row[effects.cross + cross.index[k]!] = cross.value[k]!
    row[block[0]!] = 1
    for (let k = within.start[i]!; k < within.start[i + 1]!; k++) row[block[1 + within.index[k]!]!] = within.value[k]!
    keepMovable()
    return { logit: settings.priorMean + along() + own, row }
  }
  const from = steps.start[i]!
  const to = steps.start[i + 1]!
  let beside = 0
  if (from === to) {
    for (let k = within.start[i]!; k < within.start[i + 1]!; k++) {
      const hub = within.index[k]!
      const { kind } = hubs.within[structure.environmentOf[i]!]![hub]!
      if (kind === 'state' || kind === 'check') row[block[1 + hub]!] = within.value[k]!
    }
    keepMovable()
    beside = along()
  }
  // One chance after the other: log Q = sum of count log sigmoid(b), d log Q = count (1 - sigmoid(b)) db.
  const movable = (through: number[]) => through.filter((d) => effects.prior[d]! > 0)
  const chains = from === to ? [{ count: 1, through: movable([0, block[0]!]) }] : []
  for (let s = from; s < to; s++) {
    const through = [0, block[0]!]
    if (steps.tool[s]! >= 0) through.push(effects.cross + steps.tool[s]!)
    if (steps.role[s]! >= 0) through.push(effects.cross + steps.role[s]!)
    if (steps.within[s]! >= 0) through.push(block[1 + steps.within[s]!]!)
    chains.push({ count: steps.count[s]!, through: movable(through) })
  }
  let log = 0
  const slope = means.map(() => 0)
  for (const { count, through } of chains) {
    const b = through.reduce((sum, d) => sum + means[d]!, settings.priorMean)
    log -= count * Math.log1p(Math.exp(-b))
    for (const d of through) slope[d]! += count / (1 + Math.exp(b))
  }
  const failure = Math.max(1e-6, -Math.expm1(log))
  slope.forEach((x, d) => {
    row[d]! += x / failure
  })
  keepMovable()
  return { logit: log - Math.log(failure) + beside + own, row }
}
