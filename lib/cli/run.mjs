// `npm run envsched -- COMMAND` and `npm run demo`: makes ready what the command needs, then hands over to main.ts.
// Help needs only the packages: nothing is built for it.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { ensureBuild, ensureClients, ensurePackages, requireNode, root } from './prepare.mjs'

const args = process.argv.slice(2)
const isHelp = args.length === 0 || args.includes('--help') || args.includes('-h') || args[0] === 'help'
const serves = args[0] === 'start' || args[0] === 'demo'

requireNode()
if (args[0] === '--version' || args[0] === '-v') {
  process.stdout.write(`${JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).version}\n`)
  process.exit(0)
}
await ensurePackages()
if (!isHelp) {
  await ensureClients()
  if (serves) await ensureBuild()
}

const child = spawn(process.execPath, ['--import', 'tsx', 'lib/cli/main.ts', ...args], { cwd: root, stdio: 'inherit' })
// a terminal sends its interrupt to the child as well; this process only waits for it
process.on('SIGINT', () => {})
process.on('SIGTERM', () => child.kill('SIGTERM'))
process.on('SIGHUP', () => child.kill('SIGHUP'))
// npm runs this in a shell that does not pass signals on: when that shell is gone, so is who asked
const shell = process.ppid
if (process.env.npm_lifecycle_event !== undefined) {
  setInterval(() => {
    if (process.ppid !== shell) child.kill('SIGTERM')
  }, 1000).unref()
}
child.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1))
