/** The Python client where things break: the server in every way, the disk, the process, and what a trainer hands over. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newFolder, publicFolder, python, pythonMissing, runPython } from './run-python'
import { type StandIn, standIn } from './stand-in'

let server: StandIn
beforeAll(async () => {
  server = await standIn()
})
beforeEach(() => {
  server.calls.length = 0
  server.failures.length = 0
})
afterAll(() => server.stop())

const QUICK = 'pause=0.01, most_pause=0.02, probe_seconds=0'
const reported = () =>
  server.calls.filter((call) => call.path.endsWith('/rollouts')).flatMap((call) => call.body as { id: string }[])
const kept = (folder: string) =>
  readdirSync(path.join(folder, 'envsched-spool')).flatMap((name) =>
    readFileSync(path.join(folder, 'envsched-spool', name), 'utf8')
      .trim()
      .split('\n'),
  )

describe.skipIf(pythonMissing)('the Python client at its edges', () => {
  test('a dying server: half an answer, closed, a page, other JSON, 500s, and then it lives again', async () => {
    server.failures.push('half', 'close', 'page', 500, 503, 'half')
    const result = await python<{ id: string; rungs: string[]; sent: number[]; accepted: number }>(
      `
run = Client(sys.argv[1], retries=6, ${QUICK}).start_run(SET, "first", key="dying")
rungs, sent = [], []
for step in range(4):
    batch = run.next_batch(3, 2, step)
    rungs.append(batch.fallback["rung"])
    sent.append(run.report([p.rollout(1.0) for p in batch])["accepted"])
    if step == 0: run.client.call("GET", "/break")
show(id=run.id, rungs=rungs, sent=sent, accepted=sum(sent))`,
      [breaking('/break', ['list', 'half', 'close', 503, 502, 'close', 'page', 500])],
    )
    expect(result.id).toBe('run1')
    // the second batch meets JSON of another shape, its report dies in all seven tries
    expect(result.rungs).toEqual(['none', 'offline', 'none', 'none'])
    expect(result.sent).toEqual([3, 0, 3, 3])
    expect(new Set(reported().map((row) => row.id)).size).toBe(12)
  })

  test('a slow server costs one try, Retry-After is heeded, redirects are not followed, jitter is bounded', async () => {
    server.failures.push('silent')
    const result = await python<{ away: string; took: number; waits: number[]; moved: number }>(
      `
import envsched
slow = Client(sys.argv[1], retries=0, timeout=0.2, probe_seconds=9)
begun = time.monotonic()
run = slow.start_run(SET, "first", key="slow")
took = time.monotonic() - begun
away = run.next_batch(2, 2, 0).fallback["why"]
waits = []
class Clock:
    monotonic, time = time.monotonic, time.time
    sleep = waits.append
envsched.time = Clock
client = Client(sys.argv[1], "secret", retries=5, pause=1, most_pause=2)
client.call("GET", "/break")
client.call("GET", "/waits")
try: client.call("GET", "/moved")
except EnvSchedError as error: moved = error.status
show(away=away, took=took, waits=waits, moved=moved)`,
      [
        breaking('/break', [
          { status: 503, retryAfter: '7' },
          { status: 429, retryAfter: 'Wed, 21 Oct 2015 07:28:00 GMT' },
          { status: 503, retryAfter: 'soon' },
          500,
          'close',
          200,
          303,
        ]),
      ],
    )
    expect(result.away).toMatch(/cannot be reached: .*timed out/)
    expect(result.took).toBeLessThan(1)
    expect(result.waits.slice(0, 2)).toEqual([7, 0])
    for (const wait of result.waits.slice(2)) expect(wait).toBeLessThanOrEqual(2)
    expect(new Set(result.waits).size).toBe(5)
    expect(result.moved).toBe(303)
    expect(server.calls.filter((call) => call.path.endsWith('/elsewhere'))).toEqual([])
  })

  test('a crash at any byte of the file costs the torn line alone, and that is told', async () => {
    const folder = newFolder()
    const spool = path.join(folder, 'envsched-spool')
    await python(
      `
run = Client("http://127.0.0.1:9", retries=0).start_run(SET, "first", key="torn")
run.report([{"id": f"row-{i}-\\u00e4", "environment": "e", "task": "1", "policyVersion": 0, "reward": 1} for i in range(3)])
show()`,
      [],
      folder,
    )
    const [name = ''] = readdirSync(spool)
    const whole = readFileSync(path.join(spool, name))
    const result = await python<{ kept: number[]; whole: number }>(
      `
import pathlib, envsched
file, data = pathlib.Path(sys.argv[1]), bytes.fromhex(sys.argv[2])
kept = []
for size in range(len(data) + 1):
    file.write_bytes(data[:size])
    kept.append(len(envsched._lines(file)))
file.write_bytes(data[:40] + bytes(30) + data[70:])
show(kept=kept, whole=len(envsched._lines(file)))`,
      [path.join(folder, 'torn.jsonl'), whole.toString('hex')],
      folder,
    )
    const line = whole.indexOf(10)
    expect(result.kept).toEqual(Array.from({ length: whole.length + 1 }, (_, at) => Math.floor((at + 1) / (line + 1))))
    expect(result.whole).toBe(2)

    writeFileSync(path.join(spool, name), whole.subarray(0, whole.length - 20))
    const next = await runPython(
      [
        '-c',
        `from envsched import Client; import sys\nClient(sys.argv[1]).start_run("set1", "first", key="torn").finish()`,
        server.url,
      ],
      folder,
    )
    // another address, so another spool: nothing of it is touched
    expect([next.err, readdirSync(spool)]).toEqual(['', [name]])
    const claimed = await python<{ sent: number; said: string }>(
      `
import logging, io
said = io.StringIO(); logging.basicConfig(stream=said)
run = Client(sys.argv[1]).start_run("set1", "first", key="torn")
run._spool._prefix = sys.argv[2]
show(sent=run.send_spooled(), said=said.getvalue())`,
      [server.url, name.replace(/[^.]+\.\d+\.[^.]+\.jsonl$/, '')],
      folder,
    )
    expect(claimed.sent).toBe(2)
    expect(claimed.said).toContain('1 lines in')
    expect(readdirSync(spool)).toEqual([])
  })

  test('a full disk: rows stay in memory up to a bound, the oldest go with a word, and the loop never knows', async () => {
    const folder = newFolder()
    const result = await python<{ said: string; rows: number[]; onDisk: number; ids: string[]; bounded: number }>(
      `
import logging, io, pathlib, resource, signal
said = io.StringIO(); logging.basicConfig(stream=said)
run = Client("http://127.0.0.1:9", retries=0, memory_rows=20).start_run(SET, "first", key="full")
def report(step): return run.report([{"id": f"{step}-{i}", "environment": "e", "task": "1", "policyVersion": 0, "reward": 1} for i in range(8)])
report(0)
soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (900, hard))
rows = []
for step in range(1, 5):
    report(step)
    rows.append(len(run._spool._memory))
files = list(pathlib.Path("envsched-spool").iterdir())
on_disk = sum(len(file.read_bytes().splitlines()) for file in files)
resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
report(5)
ids = [json.loads(line)["id"] for file in sorted(pathlib.Path("envsched-spool").iterdir(), key=lambda f: f.stat().st_mtime_ns) for line in file.read_bytes().splitlines()]
small = Client("http://127.0.0.1:9", retries=0, spool="small", spool_bytes=3000).start_run(SET, "first", key="small")
import envsched
envsched.SEGMENT_BYTES = 1000
run = small
for step in range(9): report(step)
show(said=said.getvalue(), rows=rows, onDisk=on_disk, ids=ids, bounded=sum(f.stat().st_size for f in pathlib.Path("small").iterdir()))`,
      [],
      folder,
    )
    expect(result.onDisk).toBe(8)
    // nothing fits any more from the second report on: 8, 16, then the bound
    expect(result.rows).toEqual([8, 16, 20, 20])
    expect(result.said).toContain('they stay in memory.')
    expect(result.said).toContain(
      'ERROR:envsched:4 rollouts were dropped, the oldest: neither server nor disk takes them.',
    )
    expect(result.said).toContain(
      'ERROR:envsched:8 rollouts were dropped, the oldest: neither server nor disk takes them.',
    )
    const steps = (from: number, to: number) =>
      Array.from({ length: (to - from) * 8 }, (_, at) => `${from + Math.floor(at / 8)}-${at % 8}`)
    expect(result.ids).toEqual([...steps(0, 1), ...steps(2, 5).slice(4), ...steps(5, 6)])
    expect(result.bounded).toBeLessThanOrEqual(3000)
    expect(result.said).toMatch(/\d+ rollouts were dropped, the oldest: small holds as much as it may\./)
  })

  test('two processes on one spool send every row once; a folder that cannot be made is no obstacle', async () => {
    const folder = newFolder()
    const away = await standIn()
    await away.stop()
    const keep = `
run = Client(sys.argv[1], retries=0).start_run(SET, "first", key="shared")
for step in range(3): run.report([p.rollout(1.0) for p in run.next_batch(4, 1, step)])
show()`
    await Promise.all([python(keep, [away.url], folder), python(keep, [away.url], folder)])
    const rows = new Set(kept(folder))
    expect(rows.size).toBe(24)
    const back = await standIn(away.port)
    const send = 'show(sent=Client(sys.argv[1]).start_run(SET, "first", key="shared").send_spooled())'
    const sent = await Promise.all([
      python<{ sent: number }>(send, [away.url], folder),
      python<{ sent: number }>(send, [away.url], folder),
    ])
    expect((sent[0]?.sent ?? 0) + (sent[1]?.sent ?? 0)).toBe(24)
    const ids = back.calls
      .filter((call) => call.path.endsWith('/rollouts'))
      .flatMap((call) => call.body as { id: string }[])
    expect([ids.length, new Set(ids.map((row) => row.id)).size]).toEqual([24, 24])
    await back.stop()

    writeFileSync(path.join(folder, 'a-file'), '')
    const nowhere = await python<{ spooled: number; again: number }>(
      `
client = Client(sys.argv[1], retries=0, spool="a-file/spool", ${QUICK})
run = client.start_run(SET, "first", key="nowhere")
client.url, gone = "http://127.0.0.1:9", client.url
first = run.report([{"environment": "e", "task": "1", "policyVersion": 0, "reward": 1}])
client.url = gone
show(spooled=first["spooled"], again=run.send_spooled())`,
      [server.url],
      folder,
    )
    expect(nowhere).toEqual({ spooled: 1, again: 1 })
  })

  test('forked and pickled runs ask and draw by themselves, no thread is left, no lock is held', async () => {
    const result = await python<{ ids: string[]; draws: string[][]; threads: number; same: boolean }>(
      `
import os, pickle, threading
client = Client(sys.argv[1], retries=0, ${QUICK})
run = client.start_run(SET, "first", key="copies")
copy = pickle.loads(pickle.dumps(run))
run.next_batch(1, 1, 0); copy.next_batch(1, 1, 0)
def child(action):
    read, write = os.pipe()
    held, done = threading.Event(), threading.Event()
    def hold():
        with run._lock: held.set(); done.wait(5)
    holder = threading.Thread(target=hold); holder.start(); held.wait()
    if os.fork() == 0:
        os.write(write, json.dumps(action()).encode()); os._exit(0)
    done.set(); holder.join(); os.close(write)
    return json.loads(os.read(read, 9999))
child(lambda: run.next_batch(1, 1, 0).index)
client.url = "http://127.0.0.1:9"
draws = [child(lambda: [p.task for p in run.next_batch(8, 1, 0)]), [p.task for p in run.next_batch(8, 1, 0)]]
show(draws=draws, threads=threading.active_count(), same=copy.id == run.id and copy.key == run.key)`,
      [server.url],
    )
    expect(result).toMatchObject({ threads: 1, same: true })
    expect(result.draws[0]).not.toEqual(result.draws[1])
    const ids = server.calls
      .filter((call) => call.path.endsWith('/batches'))
      .map((call) => (call.body as { requestId: string }).requestId)
    expect([ids.length, new Set(ids).size]).toEqual([3, 3])
  })

  test('whatever a rollout holds, and a token or a run that is gone, never stop the loop', async () => {
    const result = await python<{
      odd: Record<string, unknown>
      rungs: string[]
      spooled: number
      anew: string
      none: boolean
    }>(
      `
client = Client(sys.argv[1], retries=0, ${QUICK})
run = client.start_run(SET, "first", key="odd")
run.next_batch(1, 1, 0)
loop = []; loop.append(loop)
odd = run.report([{"id": str(i), "environment": "e", "task": "1", "policyVersion": 0, "reward": r, "messages": m, "tools": {"b", "a"}} for i, (r, m) in enumerate([
    ([1, 2], None), (1, loop), (10 ** 400, None), ("NaN", [{"role": "user", "content": object}])])])
client.call("GET", "/break")
rungs = [run.next_batch(2, 1, 1).fallback["rung"], run.next_batch(2, 1, 1).fallback["rung"]]
kept = run.report([{"environment": "e", "task": "1", "policyVersion": 0, "reward": 1}])
rungs.append(run.next_batch(2, 1, 2).fallback["rung"])
rungs.append(run.next_batch(2, 1, 2).fallback["rung"])
show(odd=odd, rungs=rungs, spooled=kept["spooled"], anew=run.id, none=run.restore(None)["restored"])`,
      [breaking('/break', [401, 403, 401, 200, 404])],
    )
    expect(result.odd).toMatchObject({ accepted: 3, spooled: 0 })
    expect(result.none).toBe(false)
    expect(reported()[0]).toMatchObject({ tools: ['a', 'b'] })
    expect(result.odd.rejected).toMatchObject([{ index: 1, id: '1' }])
    // then its spool goes, and a server that lost its data is told task set and run anew
    expect(result.rungs).toEqual(['offline', 'offline', 'none', 'none'])
    expect(server.calls.filter((call) => call.path.endsWith('/task-sets'))).toHaveLength(2)
    expect(result.spooled).toBe(1)
    const rows = reported() as unknown as { id: string; reward: unknown }[]
    expect(rows.slice(0, 3).map(({ id, reward }) => [id, reward])).toEqual([
      ['0', '[1, 2]'],
      ['2', String(10n ** 400n).slice(0, 200)],
      ['3', 'NaN'],
    ])
  })

  test('the syntax is that of Python 3.9, and every interpreter here loads it', () => {
    const code = `
import ast, pathlib, sys
ast.parse(pathlib.Path(sys.argv[1]).read_text(), feature_version=(3, 9))
sys.path.insert(0, sys.argv[2])
import envsched
print("%d.%d" % sys.version_info[:2])`
    const file = path.join(publicFolder, 'envsched.py')
    const loaded = interpreters().map((python) =>
      execFileSync(python, ['-W', 'error', '-c', code, file, publicFolder], { encoding: 'utf8' }).trim(),
    )
    console.log(`envsched.py was loaded by Python ${loaded.join(', ')}.`)
    expect(loaded.length).toBeGreaterThan(0)
  })
})

/** Interpreters from 3.9 on: those that can be started by their name, and those of pyenv. */
function interpreters(): string[] {
  const versions = path.join(process.env.PYENV_ROOT ?? path.join(homedir(), '.pyenv'), 'versions')
  const installed = existsSync(versions) ? readdirSync(versions).filter((name) => /^3\.(9|1\d)\./.test(name)) : []
  const named = Array.from({ length: 6 }, (_, at) => `python3.${9 + at}`)
  return ['python3', ...named, ...installed.map((name) => path.join(versions, name, 'bin', 'python'))].filter(
    (name) => spawnSync(name, ['-c', ''], { stdio: 'ignore' }).status === 0,
  )
}

/** The calls after one of `at` meet these failures. */
function breaking(at: string, failures: StandIn['failures']): string {
  const push = server.calls.push.bind(server.calls)
  server.calls.push = (...calls) => {
    if (calls.some((call) => call.path.endsWith(at))) {
      server.failures.push(200, ...failures)
      server.calls.push = push
    }
    return push(...calls)
  }
  return server.url
}
