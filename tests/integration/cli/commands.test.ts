/** The commands as people run them, on the production build. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { List } from '@/lib/contract/page'
import type { RunSummary } from '@/lib/contract/run'
import { freePort } from '@/tests/support/server'

const root = path.resolve(import.meta.dirname, '../../..')
const fixtures = path.join(root, 'tests/fixtures/formats')
const newFolder = () => mkdtempSync(path.join(tmpdir(), 'envsched-command-'))

interface Command {
  child: ChildProcess
  out: () => string
  err: () => string
  ended: Promise<number | null>
}

function command(args: string[], env: Record<string, string> = {}): Command {
  const child = spawn(process.execPath, ['--import', 'tsx', 'lib/cli/main.ts', ...args], {
    cwd: root,
    env: { ...process.env, NODE_OPTIONS: '', CI: '1', ...env },
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString()
  })
  const ended = new Promise<number | null>((done) => child.once('close', (code) => done(code)))
  return { child, out: () => out, err: () => err, ended }
}

async function printed(started: Command): Promise<{ url: string; token: string }> {
  await expect.poll(() => started.out() + started.err(), { timeout: 60_000 }).toMatch(/EnvSched: .*\n/)
  const address = new URL(/EnvSched: (\S+)/.exec(started.out())?.[1] ?? '')
  return { url: address.origin, token: address.searchParams.get('token') ?? '' }
}

async function runs(url: string, token: string): Promise<RunSummary[]> {
  const response = await fetch(`${url}/api/v1/runs`, { headers: { authorization: `Bearer ${token}` } })
  return ((await response.json()) as List<RunSummary>).items
}

describe('commands', () => {
  test('start serves, keeps its folder to itself, takes imports, and ends cleanly', async () => {
    const data = newFolder()
    const port = String(await freePort())
    const server = command(['start', '--data', data, '--port', port, '--no-open'])
    const { url, token } = await printed(server)
    expect(url).toBe(`http://127.0.0.1:${port}`)

    const second = command(['start', '--data', data, '--no-open'])
    expect(await second.ended).toBe(1)
    expect(second.err()).toContain(`in use by the server at ${url}`)

    const imported = command(['import', path.join(fixtures, 'rollouts.jsonl'), '--data', data])
    expect(await imported.ended).toBe(0)
    expect(imported.out()).toContain('7 rollouts accepted')
    expect(imported.out()).toContain('1 skipped: it is not JSON (line 7)')
    const run = (await runs(url, token)).find((found) => found.name === 'rollouts')
    expect(imported.out()).toContain(`Run: ${url}/runs/${run?.id}`)
    expect([run?.mode, run?.rollouts]).toEqual(['shadow', 7])

    const unknown = command(['import', path.join(root, 'LICENSE'), '--data', data])
    expect(await unknown.ended).toBe(1)
    expect(unknown.err().trim().split('\n')).toHaveLength(1)
    expect(unknown.err()).toContain('LICENSE holds no form that is known')

    server.child.kill('SIGTERM')
    expect(await server.ended).toBe(0)
    expect(existsSync(path.join(data, 'server.lock'))).toBe(false)
    expect(readFileSync(path.join(data, 'logs', 'server.jsonl'), 'utf8')).not.toContain(token)

    const again = command(['start', '--data', data, '--port', port, '--no-open'])
    expect((await printed(again)).token).toBe(token)
    expect((await runs(url, token)).map((found) => found.id)).toEqual([run?.id])
    again.child.kill('SIGINT')
    expect(await again.ended).toBe(0)
  })

  test('import works without a server as well', async () => {
    const data = newFolder()
    const alone = command([
      'import',
      path.join(fixtures, 'kitchen'),
      path.join(fixtures, 'trials.json'),
      '--data',
      data,
      '--name',
      'both',
    ])
    expect(await alone.ended, alone.err()).toBe(0)
    expect(alone.out()).toContain('both (BFCL task set and tau-bench results)')
    expect(alone.out()).toContain('3 tasks in 3 environments')
    expect(alone.out()).toContain('3 rollouts accepted')
    expect(existsSync(path.join(data, 'server.lock'))).toBe(false)
  })

  test('demo trains N batches over HTTP and the server stays', async () => {
    const data = newFolder()
    const demo = command(['demo', '--data', data, '--port', String(await freePort()), '--no-open', '--steps', '1'])
    const { url, token } = await printed(demo)
    await expect
      .poll(async () => (await runs(url, token))[0]?.status, { timeout: 90_000, interval: 500 })
      .toBe('finished')
    expect((await runs(url, token))[0]?.batch).toBe(1)
    demo.child.kill('SIGTERM')
    expect(await demo.ended).toBe(0)
  })

  test('what is unsafe or wrong is refused in one sentence', async () => {
    const open = command(['start', '--host', '0.0.0.0', '--data', newFolder()], { ENVSCHED_TOKEN: '' })
    expect(await open.ended).toBe(1)
    expect(open.err()).toMatch(/^Others could reach 0\.0\.0\.0: set ENVSCHED_TOKEN .*\.\n$/)
    const wrong = command(['start', '--port', 'many'])
    expect(await wrong.ended).toBe(2)
    expect(wrong.err()).toBe('--port must be a whole number from 1 to 65535, not "many".\n')
    const nothing = command(['import', path.join(fixtures, 'none.json')])
    expect(await nothing.ended).toBe(1)
    expect(nothing.err()).toMatch(/none\.json does not exist\.\n$/)
  })

  test.each([['start'], ['demo'], ['import']])('%s explains itself', async (name) => {
    const help = command([name, '--help'])
    expect(await help.ended).toBe(0)
    expect(help.out()).toContain('--data DIR')
    expect(help.err()).toBe('')
  })
})
