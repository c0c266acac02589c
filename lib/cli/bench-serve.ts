/**
 * `npm run bench:serve`: how quick and how large the server is while a run trains and pages are open.
 * Owns: flags, the order of the measurements, the table and the JSON. The load is bench-serve-load's, the reader's timings
 * come from a process of its own. Invariant: with --json one document on standard output and nothing else; times are
 * also told against /healthz of the same server before the load, since machines and their other work differ.
 */
import { spawn } from 'node:child_process'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { makeWorld, WORLD_NAMES } from '@/lib/testbed/worlds'
import { CommandError } from './arguments'
import { benchMain } from './bench-main'
import { addSample, figuresOf, quantile, type Samples } from './bench-serve-figures'
import { driveLoad, type LoadPlan, openRun } from './bench-serve-load'
import { weighPages } from './bench-serve-pages'
import { type BenchServer, openBenchServer } from './bench-serve-server'
import { type ServeReport, tableOf } from './bench-serve-table'
import { httpTransport } from './demo-trainer-server'
import { endOf } from './start-server'

const HELP = `npm run bench:serve -- [flags]
Needs npm run build. Starts a server of its own on a folder that is thrown away.

  --batches N     batches to ask for (60)
  --size N        picks a batch (32)
  --group-size N  rollouts a pick (8)
  --world NAME    ${WORLD_NAMES.join(', ')} (small: 40 environments, 1,200 tasks)
  --seed N        of the world, the policy and the run (61)
  --port N        instead of a free one
  --json          one JSON document on standard output
`
const IDLE_BEATS = 200

interface Plan extends LoadPlan {
  world: string
  port: number | null
  json: boolean
}

function whole(text: string, flag: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw new RangeError(`${flag} must be a whole number above 0, not ${text}`)
  return value
}

/** Null when help was asked for. @throws RangeError or TypeError with one sentence about the flag. */
export function planOf(args: string[]): Plan | null {
  const text = (value: string) => ({ type: 'string', default: value }) as const
  const { values } = parseArgs({
    args,
    options: {
      batches: text('60'),
      size: text('32'),
      'group-size': text('8'),
      world: text('small'),
      seed: text('61'),
      port: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return null
  if (!WORLD_NAMES.includes(values.world))
    throw new RangeError(`no world is called ${values.world}; there are ${WORLD_NAMES.join(', ')}`)
  return {
    batches: whole(values.batches, '--batches'),
    size: whole(values.size, '--size'),
    groupSize: whole(values['group-size'], '--group-size'),
    world: values.world,
    seed: whole(values.seed, '--seed'),
    port: values.port === undefined ? null : whole(values.port, '--port'),
    json: values.json,
  }
}

/** Milliseconds of the smallest request while the server has nothing else to do. */
async function idleBeats(address: string): Promise<number[]> {
  const samples: Samples = {}
  for (let beat = 0; beat < IDLE_BEATS; beat++) {
    const started = performance.now()
    await (await fetch(`${address}/healthz`)).arrayBuffer()
    addSample(samples, 'healthz', performance.now() - started)
  }
  return samples.healthz ?? []
}

interface Reader {
  end(): Promise<{ samples: Samples; bytes: Record<string, number> }>
}

function startReader(server: BenchServer, run: string): Reader {
  const file = 'lib/cli/bench-serve-poll.ts'
  const child = spawn(process.execPath, ['--import', 'tsx', file, server.address, server.token, run], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = endOf(child)
  let written = ''
  child.stdout.on('data', (chunk: Buffer) => {
    written += chunk.toString()
  })
  const closed = new Promise((done) => child.stdout.once('close', done))
  return {
    async end() {
      child.stdin.end()
      if ((await ended) !== 0) throw new CommandError('The reader beside the load ended with an error.')
      await closed
      return JSON.parse(written) as { samples: Samples; bytes: Record<string, number> }
    },
  }
}

const pagesOf = (run: string) => [
  { page: 'runs', path: '/' },
  ...['overview', 'environments', 'tasks', 'graph', 'batch', 'steering'].map((page) => ({
    page,
    path: `/runs/${run}/${page}`,
  })),
  { page: 'task', path: `/runs/${run}/tasks/t1` },
]

async function measure(plan: Plan, progress: (line: string) => void): Promise<ServeReport> {
  const world = makeWorld(plan.world, plan.seed)
  progress('starting a server')
  const server = await openBenchServer(plan.port)
  try {
    const loadBefore = loadavg()[0] ?? null
    const transport = httpTransport(server.address, server.token)
    const beats = await idleBeats(server.address)
    const reference = quantile(beats, 0.5)
    const { run, registered } = await openRun(transport, world, plan)
    const start = server.memory()
    const bytesBefore = server.databaseBytes()
    const reader = startReader(server, run)
    const load = await driveLoad(transport, world, run, plan, progress)
    const read = await reader.end()
    const end = server.memory()
    const databaseBytes = server.databaseBytes() - bytesBefore
    progress('weighing pages')
    const pages = await weighPages(server.address, server.token, pagesOf(run))
    return {
      plan: { ...plan, environments: world.environments.length, tasks: world.tasks.length },
      machine: {
        cores: availableParallelism(),
        model: cpus()[0]?.model ?? null,
        node: process.version,
        loadBefore,
        loadAfter: loadavg()[0] ?? null,
      },
      referenceMs: reference,
      registerMs: registered,
      seconds: load.seconds,
      rollouts: load.rollouts,
      writes: figuresOf(load.samples, reference),
      reads: figuresOf({ 'healthz idle': beats, ...read.samples }, reference),
      readBytes: read.bytes,
      memory: { start: start.now, end: end.now, most: end.most },
      databaseBytesARollout: databaseBytes / load.rollouts,
      pages,
    }
  } finally {
    await server.end()
  }
}

const main = () =>
  benchMain(HELP, planOf, async (plan, progress) => {
    const report = await measure(plan, progress)
    progress('')
    process.stdout.write(plan.json ? `${JSON.stringify(report, null, 1)}\n` : tableOf(report))
    return 0
  })

if (process.argv[1]?.endsWith('bench-serve.ts') === true) process.exitCode = await main()
