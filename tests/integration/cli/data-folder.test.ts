import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { gatherFiles } from '@/lib/cli/import-files'
import { lockHolder, takeLock } from '@/lib/cli/start-lock'
import { openLog } from '@/lib/cli/start-log'
import { knownToken, startToken } from '@/lib/cli/start-token'

const newFolder = () => mkdtempSync(path.join(tmpdir(), 'envsched-data-'))

/** A process of its own that lives until it is killed. */
async function otherProcess() {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000); console.log("up")'])
  await new Promise((done) => child.stdout.once('data', done))
  return child
}

test('a live holder keeps the folder, a dead one loses it', async () => {
  const data = newFolder()
  const other = await otherProcess()
  const holder = {
    processes: [{ id: other.pid ?? 0, begun: null }],
    address: 'http://127.0.0.1:4310',
    command: 'start',
  }
  writeFileSync(path.join(data, 'server.lock'), JSON.stringify(holder))
  expect(lockHolder(data)).toEqual(holder)
  expect(takeLock(data, 'start')).toEqual({ lock: null, holder })

  const ended = new Promise((done) => other.once('exit', done))
  other.kill('SIGKILL')
  await ended
  expect(lockHolder(data)).toBeNull()
  const taken = takeLock(data, 'start')
  expect(taken.holder).toBeNull()
  taken.lock?.release()
  expect(readdirSync(data)).toEqual([])
})

test('a process id that is used again is not the holder', async () => {
  const data = newFolder()
  const other = await otherProcess()
  const holder = { processes: [{ id: other.pid ?? 0, begun: 'another time' }], address: null, command: 'start' }
  writeFileSync(path.join(data, 'server.lock'), JSON.stringify(holder))
  const isLinux = process.platform === 'linux'
  expect(lockHolder(data) === null).toBe(isLinux)
  other.kill('SIGKILL')
})

test('the server keeps the folder when the command that started it was killed', async () => {
  const data = newFolder()
  const server = await otherProcess()
  const taken = takeLock(data, 'start')
  taken.lock?.name({ process: server.pid ?? 0, address: 'http://127.0.0.1:4311' })
  expect(lockHolder(data)?.address).toBe('http://127.0.0.1:4311')
  server.kill('SIGKILL')
  taken.lock?.release()
})

test('a broken lock file is taken over', () => {
  const data = newFolder()
  writeFileSync(path.join(data, 'server.lock'), '{"proc')
  const taken = takeLock(data, 'start')
  expect(taken.holder).toBeNull()
})

test('the token survives restarts, for its owner only', () => {
  const data = newFolder()
  expect(knownToken(data, {})).toBeNull()
  const token = startToken(data, {})
  expect(token.length).toBeGreaterThanOrEqual(32)
  expect(startToken(data, {})).toBe(token)
  expect(statSync(path.join(data, 'start-token')).mode & 0o777).toBe(0o600)
  expect(startToken(data, { ENVSCHED_TOKEN: 'mine' })).toBe('mine')
  expect(knownToken(data, {})).toBe(token)
})

test('no token reaches the log, whoever writes it', () => {
  const data = newFolder()
  const log = openLog(data, ['s3cret/value'])
  const lines = log.lines('server')
  lines(Buffer.from('GET /?token=other-one 200\nauthorization: Bearer abc.def\nhalf s3cret'))
  lines(Buffer.from('/value and s3cret%2Fvalue\n'))
  log.write('x', { token: 's3cret/value' })
  const text = readFileSync(log.file, 'utf8')
  for (const secret of ['s3cret', 'other-one', 'abc.def']) expect(text).not.toContain(secret)
  expect(
    text
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { event: string }).event),
  ).toHaveLength(4)
})

test('a folder stands for its files, with paths from the folder on', () => {
  const data = newFolder()
  writeFileSync(path.join(data, 'b.json'), '1')
  writeFileSync(path.join(data, 'a.json'), '')
  writeFileSync(path.join(data, '.hidden'), '')
  const base = path.basename(data)
  expect(gatherFiles([data]).map(({ name, bytes }) => [name, bytes])).toEqual([
    [`${base}/a.json`, 0],
    [`${base}/b.json`, 1],
  ])
  expect(() => gatherFiles([path.join(data, 'none')])).toThrow('does not exist')
})
