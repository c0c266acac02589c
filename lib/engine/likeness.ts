/**
 * How alike two tasks are, 0 to 1: cosine of the things they share, rare ones counting more, times closeness of length;
 * inside an environment the likeness of their texts, if that is larger.
 * Shapes: one sparse unit vector a task for each relation. Cost of a pair: the length of the two vectors.
 * Invariant: symmetric to the bit and independent of how tasks are numbered.
 */
import type { Rows } from './hubs'
import { textVectors, unitRows } from './text-vectors'
import type { Thing, ThingKind } from './things'

export interface Likeness {
  environmentOf: Int32Array
  lengthOf: Int32Array
  /** things inside the environment; indices count per environment */
  within: Rows
  /** things across environments */
  cross: Rows
  /** hashed terms */
  text: Rows
}

const KIND_WEIGHT: Record<ThingKind, number> = { tool: 1, role: 0.7, state: 0.7, check: 0.7, pattern: 0.4, length: 0 }
/** What a text cosine of 1 is worth against things shared, and a pair of two environments against one of the same. */
const TEXT_WEIGHT = 0.8
const CROSS_WEIGHT = 0.7
const LENGTH_SCALE = 1.5

function thingVectors(groups: readonly (readonly number[])[], things: readonly (readonly Thing[])[]): Rows {
  const rows: [number, number][][] = things.map(() => [])
  for (const tasks of groups) {
    const keyOf = (thing: Thing) => `${thing.kind} ${thing.name}`
    const frequency = new Map<string, number>()
    for (const task of tasks) {
      for (const thing of things[task]!) frequency.set(keyOf(thing), (frequency.get(keyOf(thing)) ?? 0) + 1)
    }
    const rank = new Map([...frequency.keys()].sort().map((key, at) => [key, at]))
    for (const task of tasks) {
      for (const thing of things[task]!) {
        const weight = KIND_WEIGHT[thing.kind]
        if (weight === 0) continue
        const key = keyOf(thing)
        rows[task]!.push([rank.get(key)!, thing.amount * weight * Math.log(1 + tasks.length / frequency.get(key)!)])
      }
    }
  }
  return unitRows(rows)
}

export function likenessOf(input: {
  environmentOf: Int32Array
  lengthOf: Int32Array
  tasksOf: readonly (readonly number[])[]
  within: readonly (readonly Thing[])[]
  cross: readonly (readonly Thing[])[]
  texts: readonly (string | null)[]
}): Likeness {
  const all = input.texts.map((_, task) => task)
  return {
    environmentOf: input.environmentOf,
    lengthOf: input.lengthOf,
    within: thingVectors(input.tasksOf, input.within),
    cross: thingVectors([all], input.cross),
    text: textVectors(input.texts, input.tasksOf),
  }
}

function dot(rows: Rows, i: number, j: number): number {
  const { start, index, value } = rows
  let a = start[i]!
  let b = start[j]!
  const endA = start[i + 1]!
  const endB = start[j + 1]!
  let sum = 0
  while (a < endA && b < endB) {
    const left = index[a]!
    const right = index[b]!
    if (left === right) sum += value[a++]! * value[b++]!
    else if (left < right) a++
    else b++
  }
  return sum
}

function closeness(likeness: Likeness, i: number, j: number): number {
  const a = likeness.lengthOf[i]!
  const b = likeness.lengthOf[j]!
  return Math.exp(-Math.abs(Math.log1p(a) - Math.log1p(b)) * LENGTH_SCALE)
}

/** Likeness of two tasks, 0 to 1; 1 of a task with itself. */
export function likenessBetween(likeness: Likeness, i: number, j: number): number {
  if (i === j) return 1
  if (likeness.environmentOf[i] !== likeness.environmentOf[j]) {
    return Math.min(1, dot(likeness.cross, i, j)) * closeness(likeness, i, j) * CROSS_WEIGHT
  }
  const things = Math.min(1, dot(likeness.within, i, j)) * closeness(likeness, i, j)
  return Math.max(things, Math.min(1, dot(likeness.text, i, j)) * TEXT_WEIGHT)
}
