/**
 * Python of the language model: the environment with torch, the files of its base models, and what its programs are given.
 * Owns: which environment, and the names of files. Must never know: what runs in it.
 */
import path from 'node:path'
import type { Environment } from './arguments'
import { hashOfFiles, type NoPython, preparePythonEnvironment } from './python-environment'

export const PYTHON_SOURCES = path.resolve(import.meta.dirname, 'lm')
const CLIENT_FOLDER = path.resolve(import.meta.dirname, '../../public')
const BASE_RECIPE = ['world.py', 'model.py', 'warm_start.py'].map((file) => path.join(PYTHON_SOURCES, file))

/** Who trains: the loop of train.py, or TRL's GRPOTrainer through its recipe. */
export const TRAINERS = ['own', 'trl'] as const
export type LmTrainer = (typeof TRAINERS)[number]

export interface LmPython {
  trainer: LmTrainer
  /** the interpreter, with what the trainer needs */
  python: string
  /** file of the base model of a world, made on first use */
  baseOf(world: number): string
}

/** Makes it where it is missing: one to three minutes, 1.3 GB on disk, 0.5 more for TRL. `say` is told what goes on. */
export async function preparePython(
  env: Environment,
  say: (line: string) => void,
  trainer: LmTrainer = 'own',
): Promise<LmPython | NoPython> {
  const base = await preparePythonEnvironment('torch', env, say, 'The language model needs torch')
  if ('skipped' in base) return base
  const found = trainer === 'own' ? base : await preparePythonEnvironment(trainer, env, say, "TRL's trainer needs trl")
  if ('skipped' in found) return found
  const baseOf = (world: number) => path.join(base.folder, 'bases', `${hashOfFiles(BASE_RECIPE, '')}-${world}.pt`)
  return { trainer, python: found.python, baseOf }
}

/** What the Python programs get: where the client is, no token of anyone else, one thread. */
export function pythonEnvironment(token: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    PYTHONPATH: CLIENT_FOLDER,
    PYTHONDONTWRITEBYTECODE: '1',
    OMP_NUM_THREADS: '1',
    ENVSCHED_TOKEN: token,
  }
}
