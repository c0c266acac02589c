/**
 * Where each effect of the field lies in its state vector.
 * Shapes: state = common effects (baseline, slope, speeds, cross hubs) | one block an environment (its own effect, its hubs) | one
 * deviation a task. Row i: the entries that task i's logit depends on, common ones first, then those of its environment's block; the
 * task's own deviation is not in it. Invariant: effects of prior deviation 0 have no entries; constant after creation, shared by clones.
 */
import { BASELINE, FIRST_HUB, SLOPE, SPEED, SPEEDS } from './field-places'
import { rowsOf, type TaskRows } from './field-rows'
import type { FieldSettings, Speed } from './field-settings'
import type { Structure } from './structure'

export interface Layout extends TaskRows {
  common: number
  /** environment e's block is `blockStart[e]` to `blockStart[e + 1]` */
  blockStart: Int32Array
  taskStart: number
  size: number
  /** prior variance and walk variance a policy version of each state entry */
  prior: Float64Array
  walk: Float64Array
  /** prior mean of each state entry that is a speed, 0 elsewhere: the state holds deviations from it */
  speedMean: Float64Array
  /** state entry of the speed by which training moves an effect, -1 = not moved; effects before `taskStart` */
  speedOf: Int32Array
}

function blockStarts(structure: Structure): Int32Array {
  const start = new Int32Array(structure.environments + 1)
  start[0] = FIRST_HUB + structure.hubs.cross.length
  structure.hubs.within.forEach((hubs, e) => {
    start[e + 1] = start[e]! + 1 + hubs.length
  })
  return start
}

type Effects = Pick<Layout, 'prior' | 'walk' | 'speedMean' | 'speedOf'>

function effectsOf(structure: Structure, settings: FieldSettings, blockStart: Int32Array): Effects {
  const taskStart = blockStart[structure.environments]!
  const prior = new Float64Array(taskStart + structure.tasks)
  const walk = new Float64Array(prior.length)
  const speedMean = new Float64Array(prior.length)
  const speedOf = new Int32Array(taskStart).fill(-1)
  const { deviation, walk: step, drift } = settings
  const moves = ({ mean, deviation: sd }: Speed) => mean > 0 || sd > 0
  const put = (at: number, sd: number, noise: number, kind: keyof typeof SPEED | null) => {
    prior[at] = sd * sd
    walk[at] = sd > 0 ? noise * noise : 0
    if (kind !== null && sd > 0 && moves(drift[kind])) speedOf[at] = SPEED[kind]
  }
  put(BASELINE, deviation.baseline, step.baseline, null)
  put(SLOPE, deviation.slope, step.slope, null)
  for (const kind of ['environment', 'within', 'cross'] as const) {
    prior[SPEED[kind]] = drift[kind].deviation ** 2
    speedMean[SPEED[kind]] = drift[kind].mean
  }
  structure.hubs.cross.forEach((hub, h) => {
    put(FIRST_HUB + h, deviation.cross[hub.kind], step.cross, hub.kind === 'tool' ? 'cross' : null)
  })
  structure.hubs.within.forEach((hubs, e) => {
    put(blockStart[e]!, deviation.environment, step.environment, 'environment')
    hubs.forEach((hub, h) => {
      put(blockStart[e]! + 1 + h, deviation.within[hub.kind], step.within, hub.kind === 'tool' ? 'within' : null)
    })
  })
  for (let i = 0; i < structure.tasks; i++) put(taskStart + i, deviation.task, step.task, null)
  return { prior, walk, speedMean, speedOf }
}

export function layoutOf(structure: Structure, settings: FieldSettings): Layout {
  const blockStart = blockStarts(structure)
  const taskStart = blockStart[structure.environments]!
  const effects = effectsOf(structure, settings, blockStart)
  const places = { blockStart, prior: effects.prior, always: SPEEDS.filter((at) => effects.speedOf.includes(at)) }
  return {
    common: blockStart[0]!,
    blockStart,
    taskStart,
    size: taskStart + structure.tasks,
    ...effects,
    ...rowsOf(structure, settings, places),
  }
}

/** Name of a state entry, as people read it. */
export function effectName(structure: Structure, layout: Layout, at: number): string {
  if (at === BASELINE) return 'baseline'
  if (at === SLOPE) return 'length'
  if (SPEEDS.includes(at)) return 'speed of learning'
  if (at < layout.common) return structure.hubs.cross[at - FIRST_HUB]!.name
  if (at >= layout.taskStart) return 'task'
  let e = 0
  while (layout.blockStart[e + 1]! <= at) e++
  const local = at - layout.blockStart[e]!
  return local === 0 ? 'environment' : structure.hubs.within[e]![local - 1]!.name
}
