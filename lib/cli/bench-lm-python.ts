/**
 * The Python environment of the language model: torch on the CPU in a folder of the user's cache, made once.
 * Owns: where it lies, how it is made, and one sentence why it cannot be. Must never know: what runs in it.
 * Invariant: a folder is named after its recipe, so another recipe is another folder, and is used only when it is finished.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import type { Environment } from './arguments'
import { endOf } from './start-server'

export const PYTHON_SOURCES = path.resolve(import.meta.dirname, 'lm')
const CLIENT_FOLDER = path.resolve(import.meta.dirname, '../../public')
const RECIPE = ['requirements.txt', 'stand_ins.py']
const BASE_RECIPE = ['world.py', 'model.py', 'warm_start.py']
const READY = 'ready'
const WHAT_IT_NEEDS = 'The language model needs torch'

export interface LmPython {
  /** the interpreter */
  python: string
  /** file of the base model of a world, made on first use */
  baseOf(world: number): string
}

/** Why there is none, in one sentence. */
export interface NoPython {
  skipped: string
}

/** Makes it where it is missing: one to three minutes, about 1.3 GB on disk. `say` is told what goes on. */
export async function preparePython(env: Environment, say: (line: string) => void): Promise<LmPython | NoPython> {
  const run = runner(env)
  const version = await read('python3', ['-c', 'import sys; print("%d.%d" % sys.version_info[:2])'])
  if (version === null) return skip('Python 3, and there is no python3')
  const folder = path.join(cacheFolder(env), `lm-${hashOf(RECIPE, version)}`)
  const python = path.join(folder, 'bin', 'python')
  const found = { python, baseOf: (world: number) => baseFile(folder, world) }
  if (existsSync(path.join(folder, READY))) return found
  say(`Installing torch in ${folder}: one to three minutes, once.`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(path.dirname(folder), { recursive: true })
  const reason = await install(folder, python, run)
  if (reason !== null) {
    rmSync(folder, { recursive: true, force: true })
    return skip(reason)
  }
  writeFileSync(path.join(folder, READY), '')
  return found
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

function skip(reason: string): NoPython {
  return { skipped: `${WHAT_IT_NEEDS} and ${reason}: skipped.` }
}

function cacheFolder(env: Environment): string {
  const given = env.XDG_CACHE_HOME
  return path.join(given === undefined || given === '' ? path.join(homedir(), '.cache') : given, 'envsched')
}

function hashOf(files: readonly string[], more: string): string {
  const hash = createHash('sha256').update(more)
  for (const name of files) hash.update(name).update(readFileSync(path.join(PYTHON_SOURCES, name)))
  return hash.digest('hex').slice(0, 12)
}

function baseFile(folder: string, world: number): string {
  return path.join(folder, 'bases', `${hashOf(BASE_RECIPE, '')}-${world}.pt`)
}

/** Null when it worked, else what is missing. */
async function install(folder: string, python: string, run: Runner): Promise<string | null> {
  if ((await run('python3', ['-m', 'venv', folder])) !== null)
    return 'Python with venv, and python3 -m venv did not work (Debian: apt-get install python3-venv)'
  const packages = ['--no-deps', '--quiet', '--disable-pip-version-check']
  const requirements = path.join(PYTHON_SOURCES, 'requirements.txt')
  const refused = await run(python, ['-m', 'pip', 'install', ...packages, '-r', requirements])
  if (refused !== null) return `PyPI, and pip could not install it (${lastLine(refused)})`
  const compiled = await run(python, [path.join(PYTHON_SOURCES, 'stand_ins.py')])
  if (compiled !== null) return `gcc and readelf, and the stand-ins for CUDA were not made (${lastLine(compiled)})`
  const imported = await run(python, ['-c', 'import torch; torch.ones(1)'])
  return imported === null ? null : `an interpreter that can load it (${lastLine(imported)})`
}

const lastLine = (text: string) => text.trim().split('\n').at(-1)?.slice(0, 200) ?? ''

/** Runs a program: null when it ended well, else what it wrote. */
type Runner = (command: string, args: string[]) => Promise<string | null>

function runner(given: Environment): Runner {
  const env = { PIP_RETRIES: '2', PIP_TIMEOUT: '20', ...process.env, ...given }
  return async (command, args) => {
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let written = ''
    const collect = (chunk: Buffer) => {
      written += chunk.toString()
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    return (await endOf(child)) === 0 ? null : written
  }
}

/** What a program printed, or null where it is not there or failed. */
async function read(command: string, args: string[]): Promise<string | null> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  let written = ''
  child.stdout.on('data', (chunk: Buffer) => {
    written += chunk.toString()
  })
  return (await endOf(child)) === 0 ? written.trim() : null
}
