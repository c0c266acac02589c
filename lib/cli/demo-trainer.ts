/**
 * `tsx lib/cli/demo-trainer.ts --url URL --token TOKEN`: a trainer of its own process that plays the demo world over HTTP.
 * Owns: flags and exit codes. Like anyone's trainer it knows /api/v1 and nothing else of the product.
 * With --checkpoint the policy outlives the process and the run is gone on with; without, the same --key goes on with a fresh policy.
 * Exit codes: 0 finished, 1 refused or server gone, 2 wrong flags.
 */
import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { demoQuotas } from '@/lib/testbed/demo-world'
import { makeWorld } from '@/lib/testbed/worlds'
import { readCheckpoint, writeCheckpoint } from './demo-checkpoint'
import { type Surroundings, type TrainerOptions, trainOverHttp } from './demo-trainer-loop'
import { httpTransport, type Transport } from './demo-trainer-server'

const HELP = `tsx lib/cli/demo-trainer.ts --url URL [flags]

  --url URL         address of the server, such as http://127.0.0.1:4310
  --token TOKEN     a token with the scope report (or ENVSCHED_TOKEN)
  --steps N         policies to train (60)
  --pace SECONDS    how long a batch takes to come back (4)
  --patience S      how long to wait for an absent server before choosing uniformly (60)
  --seed N          seed of the world, the policy and the rollouts (1)
  --name NAME       name of the run (Demo)
  --key KEY         the same key goes on with the same run
  --checkpoint FILE keep the policy there, and go on with the run that it belongs to
  --stages A,B      two-stage groups: roll A, and B more where their rewards differ (A + B = 8)
  --scheduler NAME  envsched, uniform, env-then-task, env-then-task-protected or env-bandit
`

interface Plan {
  url: string
  token: string
  checkpoint: string | null
  options: TrainerOptions
}

function numberOf(text: string, flag: string, low: number, whole: boolean): number {
  const value = Number(text)
  const right = Number.isFinite(value) && value >= low && (!whole || Number.isInteger(value))
  if (!right || text.trim() === '')
    throw new RangeError(`${flag} must be a ${whole ? 'whole ' : ''}number from ${low} on, not ${text}`)
  return value
}

function stagesOf(text: string): [number, number] {
  const [first, second, ...more] = text.split(',').map((part) => numberOf(part, '--stages', 1, true))
  if (first === undefined || second === undefined || more.length > 0)
    throw new RangeError(`--stages takes two numbers such as 4,4, not ${text}`)
  return [first, second]
}

/** Null when help was asked for. @throws RangeError or TypeError with one sentence about the flag. */
export function planOf(args: string[], environment: Record<string, string | undefined>): Plan | null {
  const { values } = parseArgs({
    args,
    options: {
      url: { type: 'string' },
      token: { type: 'string' },
      steps: { type: 'string', default: '60' },
      pace: { type: 'string', default: '4' },
      patience: { type: 'string', default: '60' },
      seed: { type: 'string', default: '1' },
      name: { type: 'string', default: 'Demo' },
      key: { type: 'string' },
      checkpoint: { type: 'string' },
      stages: { type: 'string' },
      scheduler: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return null
  if (values.url === undefined) throw new RangeError('--url says where the server is, such as http://127.0.0.1:4310')
  return {
    url: values.url,
    token: values.token ?? environment.ENVSCHED_TOKEN ?? '',
    checkpoint: values.checkpoint ?? null,
    options: {
      steps: numberOf(values.steps, '--steps', 1, true),
      pace: numberOf(values.pace, '--pace', 0, false),
      patience: numberOf(values.patience, '--patience', 0, false),
      seed: numberOf(values.seed, '--seed', 0, true),
      name: values.name,
      key: values.key ?? null,
      stages: values.stages === undefined ? null : stagesOf(values.stages),
      config: {
        ...(values.scheduler === undefined ? {} : { scheduler: values.scheduler }),
        quotas: demoQuotas(),
      },
    },
  }
}

/** Goes on with the kept run, also where a person ended it; when all its policies are trained, starts the next one. */
async function train(
  { checkpoint, options }: Plan,
  transport: Transport,
  sleep: Surroundings['sleep'],
  log: Surroundings['log'],
): Promise<void> {
  const world = makeWorld('demo', options.seed)
  if (checkpoint === null) {
    await trainOverHttp(world, options, { transport, sleep, log, kept: null, keep: () => undefined })
    return
  }
  const found = readCheckpoint(checkpoint)
  const kept = found !== null && found.policyVersion < options.steps ? found : null
  const { key, number } = kept ?? { key: newKey(), number: (found?.number ?? 0) + 1 }
  const keep: Surroundings['keep'] = (policyVersion, { shared, own, contract }) =>
    writeCheckpoint(checkpoint, {
      key,
      number,
      policyVersion,
      shared: [...shared],
      own: [...own],
      contract: [...contract],
    })
  const name = number === 1 ? options.name : `${options.name} ${number}`
  await trainOverHttp(world, { ...options, key, name }, { transport, sleep, log, kept, keep })
}

const newKey = () => `demo ${randomUUID()}`

async function main(): Promise<number> {
  let plan: Plan | null
  try {
    plan = planOf(process.argv.slice(2), process.env)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return 2
  }
  if (plan === null) {
    process.stdout.write(HELP)
    return 0
  }
  const log = (line: string) => process.stdout.write(`demo trainer: ${line}\n`)
  const sleep = (seconds: number) => new Promise<void>((resolve) => setTimeout(resolve, 1000 * seconds))
  try {
    await train(plan, httpTransport(plan.url, plan.token), sleep, log)
    return 0
  } catch (error) {
    process.stderr.write(`demo trainer: ${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  }
}

if (process.argv[1]?.endsWith('demo-trainer.ts') === true)
  main().then(
    (code) => process.exit(code),
    (error: unknown) => {
      process.stderr.write(`demo trainer: ${String(error)}\n`)
      process.exit(1)
    },
  )
