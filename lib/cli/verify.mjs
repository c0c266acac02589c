// `npm test` (with --install) and `npm run verify`: lint, types, unit, integration and browser tests, in this order; with
// --trainers also the tests that need PyPI, with --only-trainers (`npm run test:trainers`) those alone.
// Ends with one line "N passed, N failed": the sum over the tests, where lint, types and the build count as one each.
// A step that breaks without telling a number counts as one failure, so nothing that went wrong ends with 0.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { ensureChromium } from './chromium.mjs'
import { ensureBuild, ensureClients, ensurePackages, requireNode, root, say } from './prepare.mjs'

const HELP = `npm test           installs what the tests need and runs them all: lint, types, unit, integration, browser
npm run verify     the same without installing anything
npm run test:trainers    real models against a live server; needs python3, gcc and PyPI, else skipped with a message

  --trainers       those as well, in one sum
One part alone: npm run lint, types, test:unit, test:integration, test:browser.
`

if (process.argv.includes('--help') || process.argv.includes('-h')) {
  process.stdout.write(HELP)
  process.exit(0)
}

/** Of a failed test's message, this much is told again. */
const MESSAGE_LINES = 12

const mayInstall = process.argv.includes('--install')
const results = mkdtempSync(path.join(os.tmpdir(), 'envsched-results-'))
const total = { passed: 0, failed: 0, skipped: 0 }
/** What failed, by name: told again at the end, where a cut log still shows it. */
const failures = []

requireNode()
if (mayInstall) await ensurePackages()
await ensureClients()
await ensureBuild()
add('build', { passed: 1, failed: 0, skipped: 0 })

if (!process.argv.includes('--only-trainers')) {
  check('lint', ['node_modules/@biomejs/biome/bin/biome', 'check', '.'])
  check('types', ['node_modules/typescript/bin/tsc', '--noEmit'])
  vitest('unit')
  vitest('integration')
  browser()
}
if (process.argv.includes('--trainers') || process.argv.includes('--only-trainers')) vitest('trainers')

rmSync(results, { recursive: true, force: true })
if (total.skipped > 0) say(`${total.skipped} skipped`)
for (const failure of failures) say(`failed: ${failure}`)
process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`)
process.exit(total.failed === 0 ? 0 : 1)

function check(name, args) {
  const ok = run(name, args) === 0
  if (!ok) failures.push(name)
  add(name, { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 })
}

function vitest(project) {
  const file = path.join(results, `${project}.json`)
  const code = run(project, [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project',
    project,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ])
  const told = read(file)
  for (const suite of told?.testResults ?? [])
    for (const test of suite.assertionResults)
      if (test.status === 'failed')
        failures.push(
          `${path.relative(root, suite.name)}: ${test.fullName}\n${indent(test.failureMessages.join('\n'))}`,
        )
  const counts = {
    passed: told?.numPassedTests ?? 0,
    failed: told?.numFailedTests ?? 0,
    skipped: (told?.numPendingTests ?? 0) + (told?.numTodoTests ?? 0),
  }
  add(project, withoutSilence(counts, code))
}

function browser() {
  if (!existsSync(path.join(root, 'tests', 'e2e'))) return
  if (!ensureChromium(mayInstall)) {
    say(
      'Chromium is missing: install it (Debian: apt-get install chromium; elsewhere: npx playwright install chromium).',
    )
    add('browser', { passed: 0, failed: 1, skipped: 0 })
    return
  }
  const file = path.join(results, 'browser.json')
  const code = run('browser', ['node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json'], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: file,
    PLAYWRIGHT_JSON_OUTPUT_FILE: file,
  })
  const told = read(file)?.stats
  const counts = {
    passed: (told?.expected ?? 0) + (told?.flaky ?? 0),
    failed: told?.unexpected ?? 0,
    skipped: told?.skipped ?? 0,
  }
  add('browser', withoutSilence(counts, code))
}

/** The first lines of a message, set in. */
function indent(message) {
  const lines = message.split('\n').slice(0, MESSAGE_LINES)
  return lines.map((line) => `    ${line}`).join('\n')
}

/** A step that ended badly without a failed test failed as a whole. */
function withoutSilence(counts, code) {
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts
}

function run(name, args, env = {}) {
  say(`\n== ${name}`)
  const done = spawnSync(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    env: { ...process.env, ...env },
  })
  return done.status ?? 1
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}

function add(name, { passed, failed, skipped }) {
  say(`${name}: ${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`)
  total.passed += passed
  total.failed += failed
  total.skipped += skipped
}
