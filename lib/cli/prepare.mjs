// What must be there before any command runs: packages, generated clients, a build. Plain JavaScript that needs nothing
// but Node, since on a fresh clone nothing else exists. Each step does nothing when its result is already right, told by
// content and not by time, so that the second start takes seconds.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export const root = path.resolve(import.meta.dirname, '../..')

/** What the build reads. Generated clients follow from prisma/. */
const BUILT_FROM = ['app', 'components', 'lib', 'prisma', 'proxy.ts', 'instrumentation.ts']
const BUILT_WITH = ['next.config.js', 'postcss.config.mjs', 'tsconfig.json', 'package-lock.json']
const NOT_BUILT = new Set(['lib/cli', 'lib/generated'])
const DOT_MS = 5000
/** How often the packages are installed before it is said that they do not come. */
const INSTALLS = 3
/** What takes less is not spoken of. */
const QUIET_MS = 1000

/** Ends the process with one sentence when Node is too old. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  fail(`EnvSched needs Node 20.19 or newer, and this is ${process.versions.node}: install a newer Node.`)
}

/** Installs the locked packages when they are missing or other ones than locked. */
export async function ensurePackages() {
  if (packagesFit() && missingPrograms().length === 0) return
  say('Installing packages: two to six minutes, once.')
  for (let tries = 1; tries <= INSTALLS; tries++) {
    const status = await npm(['ci', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error'])
    if (status !== 0) fail(`The packages could not be installed: npm ci ended with ${status}.`)
    const missing = missingPrograms()
    if (missing.length === 0) return
    const what = `${missing.join(', ')} did not arrive`
    if (tries === INSTALLS) fail(`The packages are not complete: ${what}. Start again when the network is better.`)
    say(`Installing again: ${what}.`)
  }
}

/**
 * Packages for this kind of machine that are not there. They are optional to npm, which says nothing when one cannot be fetched, and
 * hold programs that nothing here works without: the compiler, the linter, the bundlers.
 */
function missingPrograms() {
  const locked = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages
  const libc = process.report.getReport().header.glibcVersionRuntime === undefined ? 'musl' : 'glibc'
  const fits = (list, here) => list === undefined || list.includes(here)
  return Object.entries(locked)
    .filter(([, { optional, os, cpu, libc: libraries }]) => {
      const isProgram = optional === true && os !== undefined && cpu !== undefined
      return isProgram && fits(os, process.platform) && fits(cpu, process.arch) && fits(libraries, libc)
    })
    .filter(([place]) => !existsSync(path.join(root, place, 'package.json')))
    .map(([place]) => place.slice('node_modules/'.length))
}

export async function ensureClients() {
  const timer = setTimeout(() => say('Preparing the database: half a minute, once.'), QUIET_MS)
  const output = await node(['prisma/generate.mjs'])
  clearTimeout(timer)
  if (output !== null) fail(`The database clients could not be generated:\n${output}`)
}

/** Builds the pages when there is no build or it is of other sources. */
export async function ensureBuild() {
  const stampFile = path.join(root, '.next', 'envsched-sources')
  const stamp = sourcesHash()
  const isBuilt = existsSync(path.join(root, '.next', 'BUILD_ID')) && existsSync(stampFile)
  if (isBuilt && readFileSync(stampFile, 'utf8') === stamp) return
  say('Building the pages: one to three minutes, once.')
  const output = await node(['node_modules/next/dist/bin/next', 'build'], { NODE_ENV: 'production' })
  if (output !== null) fail(`The pages could not be built:\n${output}`)
  mkdirSync(path.dirname(stampFile), { recursive: true })
  writeFileSync(stampFile, stamp)
}

export function say(line) {
  process.stderr.write(`${line}\n`)
}

export function fail(line) {
  say(line)
  process.exit(1)
}

/** Runs npm; what it says is shown. Answers its exit code. */
async function npm(args) {
  const own = process.env.npm_execpath
  const [command, first] = own === undefined ? ['npm', []] : [process.execPath, [own]]
  const shell = own === undefined && process.platform === 'win32'
  return (await withDots(spawn(command, [...first, ...args], { cwd: root, stdio: ['ignore', 2, 2], shell }))).status
}

/** Runs a Node program quietly. Null when it worked, its output when not. */
async function node(args, env = {}) {
  const { status, output } = await withDots(
    spawn(process.execPath, args, {
      cwd: root,
      env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  )
  return status === 0 ? null : output.trim()
}

/** Waits for a child, with a dot every 5 s: what takes minutes must not look hung. A child that a signal ended has status 1. */
function withDots(child) {
  let output = ''
  let dots = 0
  const collect = (chunk) => {
    output += chunk.toString()
  }
  child.stdout?.on('data', collect)
  child.stderr?.on('data', collect)
  const timer = setInterval(() => {
    process.stderr.write('.')
    dots += 1
  }, DOT_MS)
  return new Promise((resolve) => {
    const end = (status) => {
      clearInterval(timer)
      if (dots > 0) process.stderr.write('\n')
      resolve({ status, output })
    }
    child.once('error', (cause) => {
      output += cause.message
      end(1)
    })
    child.once('close', (code) => end(code ?? 1))
  })
}

/** Whether every locked package that is not optional is there in its locked version. */
function packagesFit() {
  const installedFile = path.join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(installedFile)) return false
  try {
    const locked = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages
    const installed = JSON.parse(readFileSync(installedFile, 'utf8')).packages
    return Object.entries(locked).every(
      ([place, entry]) => place === '' || entry.optional === true || installed[place]?.version === entry.version,
    )
  } catch {
    return false
  }
}

function sourcesHash() {
  const hash = createHash('sha256').update(process.versions.node)
  for (const name of [...BUILT_FROM, ...BUILT_WITH]) addTo(hash, name)
  return hash.digest('hex')
}

function addTo(hash, name) {
  const place = path.join(root, name)
  if (NOT_BUILT.has(name) || !existsSync(place)) return
  if (statSync(place).isDirectory()) {
    for (const child of readdirSync(place).sort()) addTo(hash, `${name}/${child}`)
    return
  }
  const content = readFileSync(place)
  hash.update(name).update('\0').update(content).update('\0')
}
