/**
 * `npm run bench:training`: does scheduling save training steps?
 * Owns: flags, what is printed where. The trainings are lib/testbed's, the file and the processes its neighbours'.
 * Invariant: paired seeds; the target of a seed is the best score that uniform choice with single-stage groups reaches in
 * --steps steps; with --json one document on standard output and nothing else; a start with the same --out goes on.
 */
import path from 'node:path'
import { parseArgs } from 'node:util'
import { armsNamed } from '@/lib/testbed/arms'
import { emptyBook, joinedBooks, type TrainingBook } from '@/lib/testbed/training-book'
import type { BenchSettings } from '@/lib/testbed/training-job'
import { reportWorld, type WorldReport } from '@/lib/testbed/training-report'
import { WORLD_NAMES } from '@/lib/testbed/worlds'
import { UsageError } from './arguments'
import { codeFingerprint, readBook, writeBook } from './bench-training-file'
import { markdown } from './bench-training-markdown'
import { type BenchPlan, fillBook } from './bench-training-run'
import { table } from './bench-training-table'

const HELP = `npm run bench:training -- [flags]

  --world LIST    all, or names by commas: ${WORLD_NAMES.join(', ')} (small)
  --arms LIST     core, all, or names by commas (core)
  --seeds N       how many paired seeds (5)
  --first-seed N  the first of them (61)
  --steps N       steps of a training (120)
  --stages A,B    sizes of two-stage groups, or "single" (half of the group twice)
  --rate N        another learning rate than the world's
  --threads N     trainings at a time, each in a process (2)
  --out FILE      keep every finished training there, and go on from it
  --anew          run trainings of FILE again that other code has made
  --json          one JSON document on standard output
  --report        print what the files named behind it say as Markdown tables, and train nothing; of all worlds, arms and seeds,
                  or those of --world and --arms
`

export interface Plan extends BenchPlan {
  settings: BenchSettings
  out: string | null
  anew: boolean
  json: boolean
  /** files to report on; null: train */
  report: string[] | null
}

function positive(text: string, flag: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isInteger(value) || value < 1)
    throw new UsageError(`${flag} must be a whole number above 0, not "${text}".`)
  return value
}

function stagesOf(text: string | undefined): BenchSettings['stages'] {
  if (text === undefined) return 'halves'
  if (text === 'single') return 'single'
  const [first, rest, ...more] = text.split(',').map((part) => positive(part, '--stages'))
  if (first === undefined || rest === undefined || more.length > 0)
    throw new UsageError(`--stages takes two sizes or "single", not "${text}".`)
  return [first, rest]
}

function rateOf(text: string | undefined): number | null {
  if (text === undefined) return null
  const rate = Number(text)
  if (!(rate > 0 && Number.isFinite(rate))) throw new UsageError(`--rate must be above 0, not "${text}".`)
  return rate
}

function worldsOf(text: string): string[] {
  const worlds = text === 'all' ? [...WORLD_NAMES] : [...new Set(text.split(',').map((name) => name.trim()))]
  const unknown = worlds.find((name) => !WORLD_NAMES.includes(name))
  if (unknown !== undefined)
    throw new UsageError(`No world is called "${unknown}"; there are ${WORLD_NAMES.join(', ')}.`)
  return worlds
}

/** Null when help was asked for. @throws UsageError, RangeError or TypeError with one sentence about the flag. */
export function planOf(args: string[], standing = process.env.INIT_CWD ?? process.cwd()): Plan | null {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      world: { type: 'string' },
      arms: { type: 'string' },
      seeds: { type: 'string', default: '5' },
      'first-seed': { type: 'string', default: '61' },
      steps: { type: 'string', default: '120' },
      stages: { type: 'string' },
      rate: { type: 'string' },
      threads: { type: 'string', default: '2' },
      out: { type: 'string' },
      anew: { type: 'boolean', default: false },
      report: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return null
  const files = positionals.map((file) => path.resolve(standing, file))
  if (values.report && files.length === 0) throw new UsageError('Name at least one file behind --report.')
  if (!values.report && files.length > 0)
    throw new UsageError(`"${positionals[0]}" is no flag; --help shows what there is.`)
  const first = positive(values['first-seed'], '--first-seed')
  return {
    worlds: worldsOf(values.world ?? (values.report ? 'all' : 'small')),
    arms: [...new Set(armsNamed(values.arms ?? (values.report ? 'all' : 'core')).map((arm) => arm.name))],
    seeds: Array.from({ length: positive(values.seeds, '--seeds') }, (_, i) => first + i),
    settings: { steps: positive(values.steps, '--steps'), stages: stagesOf(values.stages), rate: rateOf(values.rate) },
    threads: positive(values.threads, '--threads'),
    out: values.out === undefined ? null : path.resolve(standing, values.out),
    anew: values.anew,
    json: values.json,
    report: values.report ? files : null,
  }
}

function openBook(plan: Plan): TrainingBook {
  const kept = plan.out === null ? null : readBook(plan.out)
  if (kept === null) return emptyBook(plan.settings)
  if (JSON.stringify(kept.settings) !== JSON.stringify(plan.settings))
    throw new UsageError(`${plan.out} was made with other --steps, --stages or --rate; name another --out.`)
  return kept
}

/** Records of the plan that other code has made: dropped with --anew, else kept and counted. */
function sortStale(book: TrainingBook, plan: Plan, code: string): number {
  const stale = (one: { world: string; seed: number; code: string }) =>
    one.code !== code && plan.worlds.includes(one.world) && plan.seeds.includes(one.seed)
  const staleArm = (one: TrainingBook['trainings'][number]) => stale(one) && plan.arms.includes(one.arm)
  if (!plan.anew) return book.trainings.filter(staleArm).length
  book.trainings = book.trainings.filter((one) => !staleArm(one))
  book.targets = book.targets.filter((one) => !stale(one))
  return 0
}

/** Makes what is missing and reports on what was asked for. `tell` is told after each training. */
export async function bench(
  plan: Plan,
  tell: (line: string) => void,
): Promise<{ worlds: WorldReport[]; stale: number }> {
  const book = openBook(plan)
  const code = codeFingerprint()
  const stale = sortStale(book, plan, code)
  await fillBook(book, plan, code, (outcome, left) => {
    if (plan.out !== null) writeBook(plan.out, book)
    const { world, seed } = outcome.record
    const what = outcome.kind === 'target' ? 'target' : `${outcome.record.arm}, end ${outcome.record.end.toFixed(3)}`
    tell(`${world} seed ${seed}: ${what}, ${outcome.seconds.toFixed(1)} s; ${left} left`)
  })
  const worlds = plan.worlds.flatMap((world) => reportWorld(book, world, plan.arms, plan.seeds) ?? [])
  return { worlds, stale }
}

/** What finished files say of these worlds and arms, on every seed in them. */
export function reportsOf(files: readonly string[], { worlds, arms }: Pick<Plan, 'worlds' | 'arms'>): WorldReport[] {
  const books = files.map((file) => {
    const book = readBook(file)
    if (book === null) throw new UsageError(`There is no file ${file}.`)
    return book
  })
  const book = joinedBooks(books)
  const seeds = [...new Set(book.targets.map((target) => target.seed))]
  return worlds.flatMap((world) => reportWorld(book, world, arms, seeds) ?? [])
}

async function run(plan: Plan): Promise<void> {
  const json = (worlds: WorldReport[]) => `${JSON.stringify({ worlds }, null, 1)}\n`
  if (plan.report !== null) {
    const worlds = reportsOf(plan.report, plan)
    process.stdout.write(plan.json ? json(worlds) : markdown(worlds))
    return
  }
  const live = process.stderr.isTTY === true
  const { worlds, stale } = await bench(plan, (line) => {
    if (live) process.stderr.write(`\r\x1b[K${line}`)
  })
  if (live) process.stderr.write('\r\x1b[K')
  if (stale > 0) process.stderr.write(`${stale} of these trainings were made by other code; --anew runs them again.\n`)
  process.stdout.write(plan.json ? json(worlds) : worlds.map(table).join('\n'))
}

async function main(): Promise<number> {
  try {
    const plan = planOf(process.argv.slice(2))
    if (plan === null) process.stdout.write(HELP)
    else await run(plan)
    return 0
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return error instanceof UsageError || error instanceof RangeError || error instanceof TypeError ? 2 : 1
  }
}

if (process.argv[1]?.endsWith('bench-training.ts') === true) process.exitCode = await main()
