import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'

const system = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'

// Each test starts its own server on its own data folder (tests/support/server.ts): a run is state, and state is not shared.
export default defineConfig({
  testDir: 'tests/e2e',
  // half of a test is waiting for batches to come: two at once keep both cores of a small machine busy
  workers: 2,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [['list']],
  use: {
    viewport: { width: 1280, height: 800 },
    trace: 'retain-on-failure',
    launchOptions: {
      ...(existsSync(system) ? { executablePath: system } : {}),
      args: [
        '--enable-unsafe-swiftshader',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--disable-quic',
        '--no-first-run',
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ],
    },
  },
})
