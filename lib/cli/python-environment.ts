/**
 * Python environments of named recipes, in folders of the user's cache, each made once.
 * Owns: where they lie, how they are made, and one sentence why one cannot be. Must never know: what runs in them.
 * `torch` is the base, on the CPU. A recipe NAME is `python/NAME.txt`: every package with its exact version, since pip
 * resolves nothing. A list that takes in the base's (`-r ../lm/requirements.txt`) uses the base's torch in its place.
 * Invariant: a folder is named after its recipe, so another recipe is another folder; of processes that ask at once one
 * makes it and the others wait; only a finished one is used.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import type { Environment } from './arguments'
import { takeLock } from './start-lock'
import { endOf } from './start-server'

const LISTS = path.resolve(import.meta.dirname, 'python')
const BASE_FOLDER = path.resolve(import.meta.dirname, 'lm')
const BASE_LIST = 'requirements.txt'
const STAND_INS = 'stand_ins.py'
const TAKES_BASE = /^-r \.\.\/lm\/requirements\.txt$/m
const READY = 'ready'
const WAIT_MS = 500

export interface PythonEnvironment {
  folder: string
  /** the interpreter */
  python: string
}

/** Why there is none, in one sentence. */
export interface NoPython {
  skipped: string
}

interface Recipe {
  folder: string
  list: string
  base: boolean
  isBase: boolean
}

/**
 * The environment of that name, made where it is missing: half a minute to three minutes, 0.1 to 1.4 GB on disk.
 * `who` begins the sentence where it cannot be had; `say` is told what goes on.
 */
export function preparePythonEnvironment(
  name: string,
  env: Environment,
  say: (line: string) => void,
  who = `The Python environment ${name} needs its packages`,
): Promise<PythonEnvironment | NoPython> {
  // the lock tells processes apart, not two calls of this one
  const call = `${name} ${cacheFolder(env)}`
  const underway = UNDERWAY.get(call) ?? prepare(name, env, say, who).finally(() => UNDERWAY.delete(call))
  UNDERWAY.set(call, underway)
  return underway
}

const UNDERWAY = new Map<string, Promise<PythonEnvironment | NoPython>>()

async function prepare(
  name: string,
  env: Environment,
  say: (line: string) => void,
  who: string,
): Promise<PythonEnvironment | NoPython> {
  const skip = (reason: string): NoPython => ({ skipped: `${who} and ${reason}: skipped.` })
  const version = await read('python3', ['-c', 'import sys; print("%d.%d" % sys.version_info[:2])'])
  if (version === null) return skip('Python 3, and there is no python3')
  const recipe = recipeOf(name, cacheFolder(env), version)
  const made = { folder: recipe.folder, python: path.join(recipe.folder, 'bin', 'python') }
  if (isReady(recipe)) return made
  const base = recipe.base ? await preparePythonEnvironment('torch', env, say, who) : null
  if (base !== null && 'skipped' in base) return base
  const release = await waitForLock(recipe.folder)
  try {
    if (isReady(recipe)) return made
    say(`Installing ${recipe.isBase ? 'torch' : name} in ${recipe.folder}: half a minute to three minutes, once.`)
    rmSync(recipe.folder, { recursive: true, force: true })
    mkdirSync(path.dirname(recipe.folder), { recursive: true })
    const reason = await install(recipe, made.python, base, runner(env))
    if (reason !== null) {
      rmSync(recipe.folder, { recursive: true, force: true })
      return skip(reason)
    }
    writeFileSync(path.join(recipe.folder, READY), '')
    return made
  } finally {
    release()
  }
}

const isReady = ({ folder }: Recipe) => existsSync(path.join(folder, READY))

function cacheFolder(env: Environment): string {
  const given = env.XDG_CACHE_HOME
  return path.join(given === undefined || given === '' ? path.join(homedir(), '.cache') : given, 'envsched')
}

function recipeOf(name: string, cache: string, version: string): Recipe {
  const baseFiles = [BASE_LIST, STAND_INS].map((file) => path.join(BASE_FOLDER, file))
  if (name === 'torch') {
    const folder = path.join(cache, `lm-${hashOfFiles(baseFiles, version)}`)
    return { folder, list: path.join(BASE_FOLDER, BASE_LIST), base: false, isBase: true }
  }
  const list = path.join(LISTS, `${name}.txt`)
  const base = TAKES_BASE.test(readFileSync(list, 'utf8'))
  const folder = path.join(cache, `${name}-${hashOfFiles(base ? [list, ...baseFiles] : [list], version)}`)
  return { folder, list, base, isBase: false }
}

/** Twelve digits that differ where names or contents of the files do. */
export function hashOfFiles(files: readonly string[], more: string): string {
  const hash = createHash('sha256').update(more)
  for (const file of files) hash.update(path.basename(file)).update(readFileSync(file))
  return hash.digest('hex').slice(0, 12)
}

/** Of this environment alone. Other processes wait; one that died while it installed is no holder any more. */
async function waitForLock(folder: string): Promise<() => void> {
  const place = path.join(path.dirname(folder), 'building', path.basename(folder))
  for (;;) {
    const { lock } = takeLock(place, 'install')
    if (lock !== null) return () => lock.release()
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
  }
}

/** Null when it worked, else what is missing. */
async function install(
  { folder, list, isBase }: Recipe,
  python: string,
  base: PythonEnvironment | null,
  run: Runner,
): Promise<string | null> {
  if ((await run('python3', ['-m', 'venv', folder])) !== null)
    return 'Python with venv, and python3 -m venv did not work (Debian: apt-get install python3-venv)'
  if (base !== null) {
    const [own, shared] = [await packagesOf(python), await packagesOf(base.python)]
    writeFileSync(path.join(own, 'shared.pth'), `${shared}\n`)
  }
  const flags = ['--no-deps', '--quiet', '--disable-pip-version-check']
  const refused = await run(python, ['-m', 'pip', 'install', ...flags, '-r', list])
  if (refused !== null) return `PyPI, and pip could not install them (${lastLine(refused)})`
  if (!isBase) return null
  const compiled = await run(python, [path.join(BASE_FOLDER, STAND_INS)])
  if (compiled !== null) return `gcc and readelf, and the stand-ins for CUDA were not made (${lastLine(compiled)})`
  const imported = await run(python, ['-c', 'import torch; torch.ones(1)'])
  return imported === null ? null : `an interpreter that can load it (${lastLine(imported)})`
}

const packagesOf = async (python: string) =>
  (await read(python, ['-c', 'import sysconfig; print(sysconfig.get_paths()["purelib"])'])) ?? ''

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
