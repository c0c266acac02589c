/**
 * `npm run bench:replay -- --data DIR`: does it predict and choose well on real rewards?
 * Owns: flags, order of the sources, the JSON. The replay is lib/testbed/replay's.
 * Invariant: nothing depends on what a source is called; with --json one document on standard output and nothing else.
 */
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { CommandError, UsageError } from '@/lib/cli/arguments'
import { readSources, rolloutFiles } from '@/lib/cli/replay-rows'
import { replayTable, share } from '@/lib/cli/replay-table'
import { replaySeeds } from '@/lib/cli/replay-threads'
import { buildLadder, type ReplayLadder } from '@/lib/testbed/replay/ladder'
import { REPLAY_ARMS, replayArmsNamed } from '@/lib/testbed/replay/replay-arms'
import { type ReplaySourceReport, reportReplay } from '@/lib/testbed/replay/replay-report'

const HELP = `npm run bench:replay -- --data DIR [flags]

  --data DIR      a folder of rollout lines (.jsonl, .jsonl.gz), or one such file
  --source NAME   only these sources, several by commas
  --arms LIST     core, main, all, or names by commas (main): ${REPLAY_ARMS.map((arm) => arm.name).join(', ')}
  --seeds N       how many paired seeds (10)
  --first-seed N  the first of them (1)
  --steps N       steps of a replay, spread over the models (60)
  --picks N       groups a step (16)
  --threads N     seeds at a time (the processors, 4 at most)
  --json          one JSON document on standard output
`

export interface ReplayBenchPlan {
  data: string
  only: string[] | null
  arms: string
  seeds: number[]
  steps: number
  picks: number
  threads: number
  json: boolean
}

function positive(text: string, flag: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1)
    throw new UsageError(`${flag} must be a whole number above 0, not ${text}.`)
  return value
}

/** Null when help was asked for. @throws UsageError, RangeError or TypeError with one sentence about the flag. */
export function planOf(args: string[], from: string): ReplayBenchPlan | null {
  const { values } = parseArgs({
    args,
    options: {
      data: { type: 'string' },
      source: { type: 'string' },
      arms: { type: 'string', default: 'main' },
      seeds: { type: 'string', default: '10' },
      'first-seed': { type: 'string', default: '1' },
      steps: { type: 'string', default: '60' },
      picks: { type: 'string', default: '16' },
      threads: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return null
  if (values.data === undefined) throw new UsageError('Give --data, a folder of rollout lines.')
  replayArmsNamed(values.arms)
  const first = positive(values['first-seed'], '--first-seed')
  return {
    data: path.resolve(from, values.data),
    only: values.source?.split(',') ?? null,
    arms: values.arms,
    seeds: Array.from({ length: positive(values.seeds, '--seeds') }, (_, i) => first + i),
    steps: positive(values.steps, '--steps'),
    picks: positive(values.picks, '--picks'),
    threads: values.threads === undefined ? Math.min(4, availableParallelism()) : positive(values.threads, '--threads'),
    json: values.json,
  }
}

export interface ReplayBenchReport {
  sources: (ReplaySourceReport & { seconds: number })[]
  /** over the eligible sources: whether EnvSched is behind on any, and ahead in the mean of them by two standard errors */
  overall: { eligible: string[]; behind: string[]; meanAhead: { mean: number; standardError: number | null } | null }
  odd: Record<string, number>
}

/** Mean over sources of EnvSched's lead, by seed; its error over the seeds. */
function overallOf(sources: readonly ReplaySourceReport[]): ReplayBenchReport['overall'] {
  const eligible = sources.filter((one) => one.eligible && one.verdict !== null)
  const leads = eligible.map((one) => {
    const by = (arm: string) => one.arms.find((report) => report.arm === arm)?.perSeed ?? []
    const others = by('env-then-task')
    return by('envsched').map(({ informativeShare }, k) => informativeShare - (others[k]?.informativeShare ?? 0))
  })
  const seeds = leads[0]?.map((_, k) => leads.reduce((sum, lead) => sum + (lead[k] ?? 0), 0) / leads.length) ?? []
  const middle = seeds.reduce((a, b) => a + b, 0) / seeds.length
  const squares = seeds.reduce((sum, one) => sum + (one - middle) ** 2, 0)
  return {
    eligible: eligible.map(({ source }) => source),
    behind: eligible.filter(({ verdict }) => verdict?.notBehind === false).map(({ source }) => source),
    meanAhead:
      seeds.length === 0
        ? null
        : {
            mean: middle,
            standardError: seeds.length < 2 ? null : Math.sqrt(squares / (seeds.length - 1) / seeds.length),
          },
  }
}

export async function benchReplay(plan: ReplayBenchPlan, progress: (line: string) => void): Promise<ReplayBenchReport> {
  const { sources, odd } = await readSources(await rolloutFiles(plan.data))
  const chosen = sources.filter(({ source }) => plan.only === null || plan.only.includes(source))
  if (chosen.length === 0)
    throw new CommandError(`There is no source to replay; there are ${sources.map((one) => one.source).join(', ')}.`)
  const reports: ReplayBenchReport['sources'] = []
  for (const { source, rollouts } of chosen) {
    const started = performance.now()
    const ladder: ReplayLadder = buildLadder(source, rollouts)
    rollouts.length = 0
    const outcomes =
      ladder.rungs.length === 0
        ? []
        : await replaySeeds(ladder, plan.seeds, plan, plan.threads, (seed, what) =>
            progress(`${source}, seed ${seed}: ${what}`),
          )
    reports.push({ ...reportReplay(ladder, outcomes, plan), seconds: (performance.now() - started) / 1000 })
  }
  return { sources: reports, overall: overallOf(reports), odd }
}

function overallTable({ overall, odd, sources }: ReplayBenchReport): string {
  const lines = Object.entries(odd).map(([reason, count]) => `${count} lines were left out: ${reason}.`)
  const { eligible, behind, meanAhead } = overall
  if (meanAhead !== null)
    lines.push(
      `Eligible: ${eligible.join(', ')}. Behind the environment-then-task average on ${behind.length === 0 ? 'none' : behind.join(', ')}; ` +
        `mean lead ${share(meanAhead.mean)} ± ${share(meanAhead.standardError)}.`,
    )
  lines.push(`Seconds: ${sources.map(({ source, seconds }) => `${source} ${seconds.toFixed(0)}`).join(', ')}.`)
  return `${lines.join('\n')}\n`
}

async function main(): Promise<number> {
  const progress = (line: string) => {
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${line}`)
  }
  try {
    const plan = planOf(process.argv.slice(2), process.env.INIT_CWD ?? process.cwd())
    if (plan === null) {
      process.stdout.write(HELP)
      return 0
    }
    const report = await benchReplay(plan, progress)
    progress('')
    process.stdout.write(
      plan.json
        ? `${JSON.stringify(report, null, 1)}\n`
        : `${[...report.sources.map(replayTable), overallTable(report)].join('\n')}`,
    )
    return 0
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return error instanceof CommandError ? 1 : 2
  }
}

if (process.argv[1]?.endsWith('bench-replay.ts') === true) process.exitCode = await main()
