// What must be there before any command runs: packages, generated clients, a build. Plain JavaScript that needs nothing
// but Node, since on a fresh clone nothing else exists. Each step does nothing when its result is already right, told by
// content and not by time, so that the second start takes seconds.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export const root = path.resolve(import.meta.dirname, '../..')

/** What the build reads. Generated clients follow from prisma/. */
const BUILT_FROM = ['app', 'components', 'lib', 'prisma', 'proxy.ts', 'instrumentation.ts']
const BUILT_WITH = ['next.config.js', 'postcss.config.mjs', 'tsconfig.json', 'package-lock.json']
const NOT_BUILT = new Set(['lib/cli', 'lib/generated'])

/** Ends the process with one sentence when Node is too old. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  fail(`EnvSched needs Node 20.19 or newer, and this is ${process.versions.node}: install a newer Node.`)
}

/** Installs the locked packages when they are missing or other ones than locked. */
export function ensurePackages() {
  if (packagesFit()) return
  say('Installing packages (a minute or two, once).')
  npm(['ci', '--no-audit', '--no-fund', '--loglevel=error'], 'The packages could not be installed')
}

export function ensureClients() {
  node(['prisma/generate.mjs'], 'The database clients could not be generated')
}

/** Builds the pages when there is no build or it is of other sources. */
export function ensureBuild() {
  const stampFile = path.join(root, '.next', 'envsched-sources')
  const stamp = sourcesHash()
  const isBuilt = existsSync(path.join(root, '.next', 'BUILD_ID')) && existsSync(stampFile)
  if (isBuilt && readFileSync(stampFile, 'utf8') === stamp) return
  say('Building the pages (half a minute, once).')
  const output = node(['node_modules/next/dist/bin/next', 'build'], null, { NODE_ENV: 'production' })
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

/** Runs npm; with `complaint`, ends the process with it when npm fails. Answers whether it worked. */
export function npm(args, complaint = null) {
  const own = process.env.npm_execpath
  const [command, first] = own === undefined ? ['npm', []] : [process.execPath, [own]]
  const shell = own === undefined && process.platform === 'win32'
  const done = spawnSync(command, [...first, ...args], { cwd: root, stdio: ['ignore', 2, 2], shell })
  if (done.status !== 0 && complaint !== null) fail(`${complaint}: npm ${args[0]} ended with ${done.status}.`)
  return done.status === 0
}

/** Runs a Node program quietly. Null when it worked; its output, or the end of the process with `complaint`, when not. */
function node(args, complaint, env = {}) {
  const done = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', ...env },
    maxBuffer: 64 * 1024 * 1024,
  })
  if (done.status === 0) return null
  const output = `${done.stdout ?? ''}${done.stderr ?? ''}`.trim()
  if (complaint !== null) fail(`${complaint}:\n${output}`)
  return output
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
