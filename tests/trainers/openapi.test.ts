/**
 * The API against its own description, by schemathesis: data that the document allows and data that it forbids, on every call
 * of a running server. And the Python client against mypy. Both from PyPI, in an environment of their own.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { preparePythonEnvironment } from '@/lib/cli/python-environment'
import type { BatchAnswer } from '@/lib/contract/batch'
import { publicFolder } from '@/tests/python/run-python'
import { startServer, type TestServer } from '@/tests/support/server'
import { toyTaskSet } from '@/tests/support/toy-run'

const EXAMPLES = 6
const say = (line: string) => process.stderr.write(`${line}\n`)
const checks = await preparePythonEnvironment(
  'api-checks',
  process.env,
  say,
  'The checks of the API need schemathesis and mypy',
)
if ('skipped' in checks) say(checks.skipped)

const run = (program: string, args: string[], cwd: string): Promise<{ code: number | null; out: string }> => {
  if ('skipped' in checks) throw new Error(checks.skipped)
  const child = spawn(path.join(checks.folder, 'bin', program), args, { cwd })
  let out = ''
  const collect = (piece: Buffer) => {
    out += piece.toString()
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  return new Promise((done) => child.on('close', (code) => done({ code, out })))
}

/**
 * What the tool must be told. No method that a call has not got: Next answers those by itself, 405 without Allow, and 500 to
 * TRACE. No NUL: no name may hold one, which JSON Schema can say only in a way that the tool does not understand. A task set,
 * a run and a batch may be refused though each part of them is as described, since parts refer to each other; so may an
 * address, which a pattern describes in part, and an import, whose mapping is JSON of its own and whose fields no control
 * character may name.
 */
const config = (run: string, more: string) => `
[generation]
allow-x00 = false
[phases.coverage]
unexpected-methods = []
[checks.negative_data_rejection]
expected-statuses = [400, 401, 403, 404, 409, 410, 413, 415, 422, 431]
[[operations]]
include-name = ["POST /task-sets", "POST /runs", "POST /runs/{run}/batches", "PUT /runs/{run}/webhook"]
[operations.checks.positive_data_acceptance]
expected-statuses = ["2xx", 401, 403, 404, 409, 422]
[[operations]]
include-name = "POST /imports"
[operations.checks.positive_data_acceptance]
expected-statuses = ["2xx", 400, 401, 403, 422]
${run === '' ? '' : `[parameters]\n"path.run" = "${run}"\n"path.task" = "t1"\n"path.batch" = "b1"\n"path.rollout" = "r1"`}
${more}
`

describe.skipIf('skipped' in checks)('the API as its OpenAPI document describes it', () => {
  let server: TestServer
  let folder: string
  let runId: string
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'envsched-openapi-'))
    server = await startServer()
    const set = await server.api<{ id: string }>('/task-sets', { body: toyTaskSet(3, 6) })
    runId = (await server.api<{ id: string }>('/runs', { body: { taskSet: set.body.id, name: 'checked' } })).body.id
    for (let step = 0; step < 3; step += 1) {
      const ask = { requestId: `r${step}`, size: 4, groupSize: 2, policyVersion: step }
      const { picks } = (await server.api<BatchAnswer>(`/runs/${runId}/batches`, { body: ask })).body
      const rows = picks.flatMap(({ lease }) =>
        [0, 1].map((reward) => ({
          id: `${lease}-${reward}`,
          lease,
          policyVersion: step,
          reward,
          tools: ['read_order'],
        })),
      )
      await server.api(`/runs/${runId}/rollouts`, { body: rows })
    }
  })
  afterAll(async () => {
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  async function check(name: string, toml: string, flags: string[]): Promise<void> {
    writeFileSync(path.join(folder, `${name}.toml`), toml)
    const address = `${server.url}/api/v1/openapi.json`
    const always = ['--seed', '1', '--continue-on-failure', '--no-color', '--request-timeout', '30', '--workers', '2']
    const token = ['-H', `Authorization: Bearer ${server.token}`]
    const { code, out } = await run(
      'schemathesis',
      ['--config-file', `${name}.toml`, 'run', address, ...token, ...always, ...flags],
      folder,
    )
    expect(code, out.slice(-20_000)).toBe(0)
    expect(Number(/(\d+) generated/.exec(out)?.[1])).toBeGreaterThan(100)
    expect(server.log()).not.toContain('request_failed')
  }

  // events never end, so no answer can be looked at; deleting what the others need comes in the second part
  const never = ['--exclude-path', '/runs/{run}/events']

  test('on a run with history', async () => {
    await check('run', config(runId, ''), [
      ...never,
      ...['--exclude-method', 'DELETE', '--phases', 'examples,coverage,fuzzing', '--max-examples', String(EXAMPLES)],
    ])
  })

  test('on ids that nothing has, deleting included', async () => {
    await check('nothing', config('', ''), [...never, '--phases', 'fuzzing', '--max-examples', '2'])
  })
})

describe.skipIf('skipped' in checks)('the Python client', () => {
  test('is typed throughout', async () => {
    const file = path.join(publicFolder, 'envsched.py')
    const cache = mkdtempSync(path.join(tmpdir(), 'envsched-mypy-'))
    const { code, out } = await run('mypy', ['--strict', '--cache-dir', cache, file], cache)
    rmSync(cache, { recursive: true, force: true })
    expect(code, out).toBe(0)
  })
})
