/**
 * All that a training bench has finished: targets and trainings under one set of settings.
 * Owns: which are there, their order, taking one in. Must never know: files, how a training is made.
 * Invariant: at most one record a (world, seed, arm), in the order world, seed, arm as the program lists them, whatever order they came in.
 */
import { ARMS } from '@/lib/testbed/arms'
import type { ArmRecord, BenchSettings, TargetRecord } from '@/lib/testbed/training-job'
import { WORLD_NAMES } from '@/lib/testbed/worlds'

/** What the one who ran it adds: how long it took, and which code it was. */
export interface Made {
  seconds: number
  code: string
}

export interface TrainingBook {
  format: 1
  settings: BenchSettings
  targets: (TargetRecord & Made)[]
  trainings: (ArmRecord & Made)[]
}

export function emptyBook(settings: BenchSettings): TrainingBook {
  return { format: 1, settings, targets: [], trainings: [] }
}

interface Placed {
  world: string
  seed: number
  arm?: string
}

const place = (names: readonly string[], name: string) => {
  const index = names.indexOf(name)
  return index < 0 ? names.length : index
}
const armNames = ARMS.map((arm) => arm.name)

const before = (a: Placed, b: Placed): number =>
  place(WORLD_NAMES, a.world) - place(WORLD_NAMES, b.world) ||
  a.seed - b.seed ||
  place(armNames, a.arm ?? '') - place(armNames, b.arm ?? '')

const same = (a: Placed, b: Placed): boolean => a.world === b.world && a.seed === b.seed && a.arm === b.arm

/** Puts a record in its place, in place of one that was there. */
export function record<T extends Placed>(list: T[], one: T): void {
  const at = list.findIndex((other) => same(other, one))
  if (at >= 0) list[at] = one
  else list.push(one)
  list.sort(before)
}

export function targetOf(book: TrainingBook, world: string, seed: number): number | null {
  return book.targets.find((target) => target.world === world && target.seed === seed)?.target ?? null
}

export function hasTraining(book: TrainingBook, world: string, seed: number, arm: string): boolean {
  return book.trainings.some((one) => same(one, { world, seed, arm }))
}

/** One book of several with the same settings; of a record that several have, the last stays. @throws RangeError where settings differ. */
export function joinedBooks(books: readonly TrainingBook[]): TrainingBook {
  const [first] = books
  if (first === undefined) throw new RangeError('no book was given to join')
  const joined = emptyBook(first.settings)
  for (const book of books) {
    if (JSON.stringify(book.settings) !== JSON.stringify(first.settings))
      throw new RangeError('the files were made with different --steps, --stages or --rate')
    for (const target of book.targets) record(joined.targets, target)
    for (const training of book.trainings) record(joined.trainings, training)
  }
  return joined
}
