// The browser of the browser tests: the system's Chromium, or Playwright's own; installed when asked to.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { root, say } from './prepare.mjs'

const SYSTEM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'

/** Whether a browser is there, after installing one where `mayInstall` and it is missing. */
export function ensureChromium(mayInstall) {
  if (isThere()) return true
  if (!mayInstall) return false
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    say('Installing Chromium with apt-get (once).')
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    spawnSync('apt-get', ['update', '-q'], { stdio: 'ignore', env })
    spawnSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'chromium'], {
      stdio: ['ignore', 'ignore', 2],
      env,
    })
    if (isThere()) return true
  }
  say("Installing Playwright's Chromium (once).")
  spawnSync(process.execPath, [path.join('node_modules', '@playwright', 'test', 'cli.js'), 'install', 'chromium'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 2],
  })
  return isThere()
}

function isThere() {
  if (existsSync(SYSTEM)) return true
  try {
    const { chromium } = createRequire(import.meta.url)('@playwright/test')
    return existsSync(chromium.executablePath())
  } catch {
    return false
  }
}
