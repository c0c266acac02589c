/**
 * `npm run bench:lm`: does the scheduler help a real language model under GRPO, asked over HTTP by its trainer?
 * Owns: flags, the order of the trainings, the table and the JSON. Set-up is bench-lm-python's, a training bench-lm-training's.
 * Invariant: every arm starts from the same base model of a world; with --json one document on standard output and
 * nothing else; where the model cannot be run, `{ "skipped": reason }` and exit code 0.
 */
import path from 'node:path'
import { parseArgs } from 'node:util'
import { SCHEDULERS } from '@/lib/engine/config'
import { ARMS as TESTBED_ARMS } from '@/lib/testbed/arms'
import { CommandError } from './arguments'
import { openTrainingFile } from './bench-lm-file'
import { checkGroups } from './bench-lm-groups'
import { type LmPython, type LmTrainer, preparePython, TRAINERS } from './bench-lm-python'
import { reportLm } from './bench-lm-report'
import { lmTable } from './bench-lm-table'
import { type LmPlan, type LmTraining, runTraining, warmUp } from './bench-lm-training'
import { type BenchServer, openBenchServer } from './bench-serve-server'
import { ensureBuild, ensureClients } from './prepare.mjs'

const ORACLES = ['oracle', 'oracle-no-uniform']
const ARMS: string[] = [...SCHEDULERS, ...ORACLES]
/** what can be run without a server */
const DIRECT_ARMS = [...TESTBED_ARMS.filter(({ kind }) => kind !== 'oracle').map(({ name }) => name), ...ORACLES]
const CORE = ['uniform', 'env-then-task', 'env-then-task-protected', 'envsched', 'oracle']

const HELP = `npm run bench:lm -- [flags]
Needs python3 and, the first time, PyPI: torch is installed once in the user's cache folder. The server that is asked
is built from the sources as they are.

  --arms LIST     names by commas, or core (${CORE.join(', ')});
                  there are ${ARMS.join(', ')}
  --trainer NAME  own, or trl: TRL's GRPOTrainer through its recipe, on the same base models and tasks, without
                  the oracles; each group that it logged is held against the server's (own)
  --seeds N       how many worlds (3)
  --first-seed N  the first of them (1)
  --steps N       steps of a training, a multiple of 10 (300)
  --parallel N    trainings at a time (2)
  --out FILE      keeps each finished training there; started again, it goes on
  --port N        of the server, instead of a free one
  --direct        no server: the schedulers of the sources, without a build; takes the arms of bench:training too
  --setup         installs and warms up the base models, and trains nothing
  --json          one JSON document on standard output
`

interface Plan {
  arms: string[]
  trainer: LmTrainer
  worlds: number[]
  steps: number
  parallel: number
  out: string | null
  port: number | null
  direct: boolean
  setup: boolean
  json: boolean
}

function whole(text: string, flag: string, multiple = 1): number {
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1 && value % multiple === 0) return value
  const kind = multiple === 1 ? 'whole number above 0' : `multiple of ${multiple}`
  throw new RangeError(`${flag} must be a ${kind}, not ${text}`)
}

/** Null when help was asked for. @throws RangeError or TypeError with one sentence about the flag. */
export function planOf(args: string[]): Plan | null {
  const text = (value: string) => ({ type: 'string', default: value }) as const
  const { values } = parseArgs({
    args,
    options: {
      arms: text('core'),
      trainer: text('own'),
      seeds: text('3'),
      'first-seed': text('1'),
      steps: text('300'),
      parallel: text('2'),
      out: { type: 'string' },
      port: { type: 'string' },
      direct: { type: 'boolean', default: false },
      setup: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return null
  const trainer = TRAINERS.find((name) => name === values.trainer)
  if (trainer === undefined)
    throw new RangeError(`no trainer is called ${values.trainer}; there are ${TRAINERS.join(', ')}`)
  if (trainer === 'trl' && values.direct) throw new RangeError('--trainer trl asks a server: leave out --direct')
  const known = trainer === 'trl' ? [...SCHEDULERS] : values.direct ? DIRECT_ARMS : ARMS
  const arms = values.arms === 'core' ? CORE.filter((arm) => known.includes(arm)) : values.arms.split(',')
  const unknown = arms.find((arm) => !known.includes(arm))
  if (unknown !== undefined) throw new RangeError(`no arm is called ${unknown}; there are ${known.join(', ')}`)
  const first = whole(values['first-seed'], '--first-seed')
  return {
    arms,
    trainer,
    worlds: Array.from({ length: whole(values.seeds, '--seeds') }, (_, i) => first + i),
    steps: whole(values.steps, '--steps', 10),
    parallel: whole(values.parallel, '--parallel'),
    out: values.out === undefined ? null : path.resolve(process.env.INIT_CWD ?? '.', values.out),
    port: values.port === undefined ? null : whole(values.port, '--port'),
    direct: values.direct,
    setup: values.setup,
    json: values.json,
  }
}

/** World by world, all arms of a world first: a stopped bench has whole pairs. */
function trainingsOf({ arms, trainer, worlds, steps }: Plan): LmPlan[] {
  return worlds.flatMap((world) => arms.map((arm) => ({ arm, world, steps, groups: trainer === 'trl' })))
}

/** Works the list off, `count` at a time. The first failure ends it. */
async function inParallel<T>(list: readonly T[], count: number, work: (item: T) => Promise<void>): Promise<void> {
  const left = [...list]
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: count }, worker))
}

async function measure(plan: Plan, python: LmPython, progress: (line: string) => void): Promise<LmTraining[]> {
  const file = openTrainingFile(plan.out, plan.steps)
  const wanted = trainingsOf(plan)
  const same = (a: { arm: string; world: number }, b: { arm: string; world: number }) =>
    a.arm === b.arm && a.world === b.world
  const done = file.found.filter((training) => wanted.some((item) => same(item, training)))
  const open = wanted.filter((item) => !done.some((training) => same(item, training)))
  if (open.length === 0) return done
  const server = plan.direct ? null : await openServer(plan.port)
  try {
    await inParallel(open, plan.parallel, async (item) => {
      const training = await checked(await runTraining(item, python, server, progress), server)
      file.keep(training)
      done.push(training)
    })
  } finally {
    await server?.end()
  }
  const place = ({ arm, world }: LmTraining) => wanted.findIndex((item) => item.arm === arm && item.world === world)
  return done.sort((a, b) => place(a) - place(b))
}

/** Where groups were told, they are held against the server's and not kept. */
async function checked({ groups, ...training }: LmTraining, server: BenchServer | null): Promise<LmTraining> {
  if (groups === undefined || server === null) return training
  return { ...training, groupsChecked: await checkGroups({ ...training, groups }, server) }
}

/** Of the sources as they are: a build of yesterday's engine would be measured without a word. */
async function openServer(port: number | null): Promise<BenchServer> {
  await ensureClients()
  await ensureBuild()
  return openBenchServer(port)
}

async function bench(plan: Plan): Promise<void> {
  const say = (line: string) => process.stderr.write(`${line}\n`)
  const progress = (line: string) => {
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${line}`)
  }
  const print = (document: unknown, table: string) =>
    process.stdout.write(plan.json ? `${JSON.stringify(document, null, 1)}\n` : table)
  const python = await preparePython(process.env, say, plan.trainer)
  if ('skipped' in python) {
    print({ skipped: python.skipped }, `${python.skipped}\n`)
    return
  }
  await inParallel(plan.worlds, plan.parallel, (world) => warmUp(world, python))
  if (plan.setup) {
    print({ ready: python.python }, `Ready: ${python.python}\n`)
    return
  }
  const report = reportLm(await measure(plan, python, progress), plan.trainer)
  progress('')
  print(report, lmTable(report))
}

async function main(): Promise<number> {
  let plan: Plan | null
  try {
    plan = planOf(process.argv.slice(2))
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return 2
  }
  if (plan === null) {
    process.stdout.write(HELP)
    return 0
  }
  try {
    await bench(plan)
    return 0
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    process.stderr.write(`${error.message}\n`)
    return 1
  }
}

if (process.argv[1]?.endsWith('bench-lm.ts') === true) process.exitCode = await main()
