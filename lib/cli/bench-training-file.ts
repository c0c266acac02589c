/**
 * The file that a training bench keeps its finished trainings in.
 * Owns: reading, checking and writing it, and the fingerprint of the code that made a training. Must never know: what the numbers say.
 * Invariant: the file is a whole document at any time: it is written beside and moved over.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import type { TrainingBook } from '@/lib/testbed/training-book'
import { UsageError } from './arguments'

const made = { seconds: z.number(), code: z.string() }
/** The order of its fields is that of the file. */
const bookSchema = z.object({
  format: z.literal(1),
  settings: z.object({
    steps: z.number().int().positive(),
    stages: z.union([z.tuple([z.number(), z.number()]), z.literal('single'), z.literal('halves')]),
    rate: z.number().nullable(),
  }),
  targets: z.array(
    z.object({
      world: z.string(),
      seed: z.number().int(),
      target: z.number(),
      informativeShare: z.number(),
      ...made,
    }),
  ),
  trainings: z.array(
    z.object({
      world: z.string(),
      seed: z.number().int(),
      arm: z.string(),
      stepsToTarget: z.number().int().nullable(),
      rolloutSeconds: z.number().nullable().default(null),
      area: z.number(),
      end: z.number(),
      worstTenth: z.number(),
      lowestOnceSolved: z.number().nullable(),
      informativeShare: z.number(),
      curve: z.array(z.number()),
      ...made,
    }),
  ),
})

/** Null where there is no such file. @throws UsageError where it is not a bench's. */
export function readBook(file: string): TrainingBook | null {
  if (!existsSync(file)) return null
  let json: unknown
  try {
    json = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    throw new UsageError(`${file} is not JSON.`)
  }
  const read = bookSchema.safeParse(json)
  if (!read.success) {
    const [issue] = read.error.issues
    throw new UsageError(`${file} is not a file of bench:training: ${issue?.path.join('.')}: ${issue?.message}.`)
  }
  return read.data
}

/** One record a line, so that versions can be compared; the same book is the same bytes. */
export function bookText(unordered: TrainingBook): string {
  const book = bookSchema.parse(unordered)
  const list = (records: readonly unknown[]) => `[\n${records.map((one) => JSON.stringify(one)).join(',\n')}\n]`
  const head = `"format": 1,\n"settings": ${JSON.stringify(book.settings)}`
  return `{\n${head},\n"targets": ${list(book.targets)},\n"trainings": ${list(book.trainings)}\n}\n`
}

export function writeBook(file: string, book: TrainingBook): void {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(`${file}.part`, bookText(book))
  renameSync(`${file}.part`, file)
}

/** Twelve digits that change with any source of the engine or the testbed. */
export function codeFingerprint(): string {
  const hash = createHash('sha256')
  for (const folder of ['../engine', '../testbed']) {
    const root = path.resolve(import.meta.dirname, folder)
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
    for (const name of files.sort())
      hash
        .update(name)
        .update('\0')
        .update(readFileSync(path.join(root, name)))
  }
  return hash.digest('hex').slice(0, 12)
}
