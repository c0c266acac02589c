import path from 'node:path'
import { defineConfig } from 'vitest/config'

const alias = { '@': path.resolve(import.meta.dirname) }
const suite = (name: string, include: string[], testTimeout = 60_000) => ({
  resolve: { alias },
  test: { name, include, testTimeout, hookTimeout: 60_000, setupFiles: ['tests/support/fixed-seed.ts'] },
})

// unit: pure code, no disk, no sockets. integration: the store and the services on real databases, the client against a live server.
// trainers: real models against a live server; needs PyPI once.
export default defineConfig({
  test: {
    projects: [
      suite('unit', ['tests/unit/**/*.test.ts', 'tests/property/**/*.test.ts', 'tests/golden/**/*.test.ts']),
      suite('integration', ['tests/integration/**/*.test.ts', 'tests/python/**/*.test.ts'], 120_000),
      suite('trainers', ['tests/trainers/**/*.test.ts'], 600_000),
    ],
  },
})
