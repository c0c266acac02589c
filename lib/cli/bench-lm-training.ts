/**
 * One training of the language model: a Python process that asks a live server, and what it told at its end.
 * Owns: the flags of train.py and the shape of its answer. Must never know: how arms are compared.
 * Units: scores are exact solve rates by held-out environment, a row each `every` steps from step 0 on; seconds are medians.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { CommandError } from './arguments'
import { answerTrainer } from './bench-lm-direct'
import { type LmPython, type LmTrainer, PYTHON_SOURCES, pythonEnvironment } from './bench-lm-python'
import { endOf } from './start-server'

export const ROLLOUTS_A_STEP = 128
const GROUP = 8

const rate = z.number().min(0).max(1)

export const lmGroup = z.object({
  step: z.number().int(),
  environment: z.string(),
  task: z.string(),
  rewards: z.array(rate),
})
export type LmGroup = z.infer<typeof lmGroup>

export const lmTraining = z.object({
  arm: z.string(),
  world: z.number().int(),
  steps: z.number().int().positive(),
  every: z.number().int().positive(),
  /** environments with held-out tasks, in the order of a row of scores */
  keys: z.array(z.string()).min(1),
  scores: z.array(z.array(rate)).min(1),
  /** share of informative groups, by step */
  informative: z.array(rate),
  /** picks by environment, the broken one last */
  picked: z.array(z.number().int()),
  seconds: z.object({ step: z.number(), ask: z.number().optional(), report: z.number().optional() }),
  groups: z.array(lmGroup).optional(),
  /** how many of them the server holds with the same mean and variance, where that was looked at */
  groupsChecked: z.number().int().optional(),
  /** its run on the server, null where it asked none */
  run: z.string().nullable(),
})
export type LmTraining = z.infer<typeof lmTraining>

export interface LmPlan {
  arm: string
  world: number
  steps: number
  /** tell each group and its rewards */
  groups: boolean
  /** further ones of the program */
  flags?: readonly string[]
}

const PROGRAMS: Record<LmTrainer, string> = { own: 'train.py', trl: 'train_trl.py' }

/** Whom the trainer asks: a server, or (null) the scheduler of that name in this process. */
export type Asked = { address: string; token: string } | null

/** Trains once. `say` is told its progress. @throws CommandError with the last lines that it wrote. */
export async function runTraining(
  plan: LmPlan,
  { trainer, python, baseOf }: LmPython,
  server: Asked,
  say: (line: string) => void,
): Promise<LmTraining> {
  const folder = mkdtempSync(path.join(tmpdir(), 'envsched-lm-'))
  const flags = ['--arm', plan.arm, '--world', String(plan.world), '--steps', String(plan.steps)]
  const files = [
    '--server',
    server?.address ?? '-',
    '--base',
    baseOf(plan.world),
    '--spool',
    path.join(folder, 'spool'),
  ]
  const output = trainer === 'trl' ? ['--output', path.join(folder, 'output')] : []
  const more = [...output, ...(plan.groups ? ['--groups'] : []), ...(plan.flags ?? [])]
  const child = spawn(python, [path.join(PYTHON_SOURCES, PROGRAMS[trainer]), ...flags, ...files, ...more], {
    env: pythonEnvironment(server?.token ?? ''),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const kill = () => child.kill()
  process.once('exit', kill)
  let wrote = ''
  child.stderr.on('data', (chunk: Buffer) => {
    wrote = (wrote + chunk.toString()).slice(-4000)
    say(`${plan.arm}, world ${plan.world}, ${chunk.toString().trim().split('\n').at(-1) ?? ''}`)
  })
  const sizes = { groupSize: GROUP, groups: ROLLOUTS_A_STEP / GROUP }
  const [told, code] = await Promise.all([
    answerTrainer(child.stdout, child.stdin, { ...plan, ...sizes }),
    endOf(child),
  ])
  process.off('exit', kill)
  rmSync(folder, { recursive: true, force: true })
  if (code !== 0) throw new CommandError(`The training of ${plan.arm} in world ${plan.world} failed:\n${wrote.trim()}`)
  return lmTraining.parse(told)
}

/** Makes the base model of a world where it is missing, so that trainings of it do not make it twice. */
export async function warmUp(world: number, { python, baseOf }: LmPython): Promise<void> {
  const program = path.join(PYTHON_SOURCES, 'warm_start.py')
  const child = spawn(python, [program, String(world), baseOf(world)], {
    env: pythonEnvironment(''),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if ((await endOf(child)) !== 0) throw new CommandError(`The base model of world ${world} could not be made.`)
}
