/**
 * `npm run bench:training`: does scheduling save training steps?
 * Owns: flags, order of the trainings, the table and the JSON. The trainings are lib/testbed's.
 * Invariant: paired seeds; the target of a seed is the best score that uniform choice with single-stage groups reaches in
 * --steps steps; with --json one document on standard output and nothing else.
 */
import { parseArgs } from 'node:util'
import { type Arm, armsNamed } from '@/lib/testbed/arms'
import { uniform } from '@/lib/testbed/schedulers/uniform'
import { train } from '@/lib/testbed/training'
import { type ArmReport, mean, median, reportArm, type SeedResult } from '@/lib/testbed/training-report'
import { makeWorld, WORLD_NAMES } from '@/lib/testbed/worlds'

const HELP = `npm run bench:training -- [flags]

  --world NAME    ${WORLD_NAMES.join(', ')}; several by commas (small)
  --arms LIST     core, all, or names by commas (core)
  --seeds N       how many paired seeds (5)
  --first-seed N  the first of them (61)
  --steps N       steps of a training (120)
  --stages A,B    sizes of two-stage groups, or "single" (half of the group twice)
  --rate N        another learning rate than the world's
  --json          one JSON document on standard output
`

interface Plan {
  worlds: string[]
  arms: Arm[]
  seeds: number[]
  steps: number
  stages: readonly [number, number] | 'single' | 'halves'
  rate: number | undefined
  json: boolean
}

function positive(text: string, flag: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw new RangeError(`${flag} must be a whole number above 0, not ${text}`)
  return value
}

function stagesOf(text: string | undefined): Plan['stages'] {
  if (text === undefined) return 'halves'
  if (text === 'single') return 'single'
  const parts = text.split(',').map((part) => positive(part, '--stages'))
  if (parts.length !== 2) throw new RangeError(`--stages takes two sizes or "single", not ${text}`)
  return [parts[0] ?? 0, parts[1] ?? 0]
}

/** Null when help was asked for. @throws RangeError or TypeError with one sentence about the flag. */
export function planOf(args: string[]): Plan | null {
  const { values } = parseArgs({
    args,
    options: {
      world: { type: 'string', default: 'small' },
      arms: { type: 'string', default: 'core' },
      seeds: { type: 'string', default: '5' },
      'first-seed': { type: 'string', default: '61' },
      steps: { type: 'string', default: '120' },
      stages: { type: 'string' },
      rate: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return null
  const first = positive(values['first-seed'], '--first-seed')
  const rate = values.rate === undefined ? undefined : Number(values.rate)
  if (rate !== undefined && !(rate > 0)) throw new RangeError(`--rate must be above 0, not ${values.rate}`)
  const worlds = values.world.split(',')
  const unknown = worlds.find((name) => !WORLD_NAMES.includes(name))
  if (unknown !== undefined) throw new RangeError(`no world is called ${unknown}; there are ${WORLD_NAMES.join(', ')}`)
  return {
    worlds,
    arms: armsNamed(values.arms),
    seeds: Array.from({ length: positive(values.seeds, '--seeds') }, (_, i) => first + i),
    steps: positive(values.steps, '--steps'),
    stages: stagesOf(values.stages),
    rate,
    json: values.json,
  }
}

export interface WorldReport {
  name: string
  arms: ArmReport[]
  /** mean over the seeds of the score to reach */
  target: number
  /** median censored steps of envsched, where it ran, over those of uniform choice */
  ratioToUniform: number | null
  /** share of informative groups under uniform choice with full groups: what the world wastes */
  uniformInformativeShare: number
  steps: number
  seeds: number[]
  stages: readonly [number, number] | 'single'
  learningRate: number
  secondsPerTraining: Record<string, number>
}

/** Runs every arm on every seed of one world. `progress` is told after each training. */
export function benchWorld(name: string, plan: Plan, progress: (line: string) => void): WorldReport {
  const worlds = plan.seeds.map((seed) => makeWorld(name, seed))
  const { groupSize, learningRate } = worlds[0]?.training ?? { groupSize: 8, learningRate: 0 }
  const half = Math.floor(groupSize / 2)
  const stages = plan.stages === 'halves' ? ([half, groupSize - half] as const) : plan.stages
  const rate = plan.rate ?? learningRate
  const options = (seed: number) => ({
    steps: plan.steps,
    seed: seed + 50,
    policySeed: seed + 1000,
    learningRate: rate,
  })
  const targets = plan.seeds.map((seed, i) => {
    const world = worlds[i] ?? makeWorld(name, seed)
    return train(world, uniform, { ...options(seed), stages: null, filtered: false })
  })
  const seconds: Record<string, number> = {}
  const run = (arm: Arm): SeedResult[] => {
    const times: number[] = []
    const results = plan.seeds.map((seed, i) => {
      const started = performance.now()
      const world = worlds[i] ?? makeWorld(name, seed)
      const single = stages === 'single' || arm.singleStage
      const training = train(world, arm.make, {
        ...options(seed),
        stages: single ? null : stages,
        filtered: arm.filtered,
      })
      times.push((performance.now() - started) / 1000)
      progress(`${name} ${arm.name} seed ${seed}: ${training.curve[plan.steps]?.toFixed(3)}`)
      return { seed, target: Math.max(...(targets[i]?.curve ?? [])), training }
    })
    seconds[arm.name] = median(times)
    return results
  }
  const all = plan.arms.map((arm) => ({ arm, results: run(arm) }))
  const base = all.find(({ arm }) => arm.name === 'uniform')?.results ?? null
  const arms = all.map(({ arm, results }) => reportArm(arm.name, results, base))
  return {
    name,
    arms,
    target: mean(targets.map((training) => Math.max(...training.curve))),
    ratioToUniform: arms.find((report) => report.arm === 'envsched')?.ratioToUniform ?? null,
    uniformInformativeShare: mean(targets.map((training) => training.informativeShare)),
    steps: plan.steps,
    seeds: plan.seeds,
    stages,
    learningRate: rate,
    secondsPerTraining: seconds,
  }
}

const shown = (value: number | null, digits: number) => (value === null ? 'never' : value.toFixed(digits))

function table(report: WorldReport): string {
  const stages = report.stages === 'single' ? 'single-stage groups' : `groups of ${report.stages.join(' + ')}`
  const head = [
    `World ${report.name}: target ${report.target.toFixed(3)} (best of ${report.steps} uniform single-stage steps), ` +
      `${report.seeds.length} seeds from ${report.seeds[0]}, ${stages}, rate ${report.learningRate}.`,
    `Uniform choice with full groups: informative share ${report.uniformInformativeShare.toFixed(3)}.`,
    '',
    `${'arm'.padEnd(26)}steps [low-high]     ratio  score at ${Object.keys(report.arms[0]?.scoreAt ?? {}).join(', ')}  ` +
      'informative  worst tenth  area - uniform   seconds',
  ]
  const rows = report.arms.map((arm) => {
    const { median: middle, low, high } = arm.stepsToTarget
    const area = arm.againstUniform?.area
    const gain = area === undefined ? '' : `${area.mean.toFixed(4)} ± ${shown(area.standardError, 4)}`
    return [
      arm.arm.padEnd(26),
      `${shown(middle, 0)} [${shown(low, 0)}-${shown(high, 0)}]`.padEnd(21),
      (arm.ratioToUniform === null ? '' : arm.ratioToUniform.toFixed(2)).padEnd(7),
      Object.values(arm.scoreAt)
        .map((score) => score.toFixed(3))
        .join(' ')
        .padEnd(18),
      arm.informativeShare.toFixed(3).padEnd(13),
      arm.worstEnvironment.toFixed(3).padEnd(13),
      gain.padEnd(18),
      (report.secondsPerTraining[arm.arm] ?? 0).toFixed(2),
    ].join('')
  })
  return [...head, ...rows, ''].join('\n')
}

function main(): number {
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
  const chosen = plan
  const progress = (line: string) => {
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${line}`)
  }
  const worlds = chosen.worlds.map((name) => benchWorld(name, chosen, progress))
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
  process.stdout.write(chosen.json ? `${JSON.stringify({ worlds }, null, 1)}\n` : worlds.map(table).join('\n'))
  return 0
}

if (process.argv[1]?.endsWith('bench-training.ts') === true) process.exitCode = main()
