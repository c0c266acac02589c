import { readdirSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newFolder, publicFolder, python, pythonMissing, runPython } from './run-python'
import { type StandIn, standIn } from './stand-in'

let server: StandIn
beforeEach(async () => {
  server = await standIn()
})
afterEach(() => server.stop())

const rows = (at = -1) =>
  server.calls.filter((call) => call.path.endsWith('/rollouts')).at(at)?.body as Record<string, unknown>[]

describe.skipIf(pythonMissing)('the Python client', () => {
  test('registers, starts, asks and reports; NaN and infinity go as null, never as 0', async () => {
    const result = await python<Record<string, unknown>>(
      `
client = Client(sys.argv[1] + "/?token=secret")
run = client.start_run(SET, "first", key="k", seed=3, config={"uniformShare": 0.5}, planned_steps=9)
batch = run.next_batch(size=2, group_size=4, policy_version=7)
answer = run.report([pick.rollout(reward=r, turns=2) for pick, r in zip(batch, [float("nan"), 0])] + [
  {"id": "x", "environment": "e", "task": "5", "policy_version": 7, "reward": float("inf"), "seconds": float("nan")}])
run.release(batch.picks[1].lease)
show(answer=answer, offline=batch.offline, index=batch.index, payload=[p.payload for p in batch], shown=repr(client))
`,
      [server.url],
    )
    expect(result).toEqual({
      answer: { accepted: 3, duplicates: 0, untrusted: { reward_missing: 2 }, rejected: [], spooled: 0 },
      offline: false,
      index: 0,
      payload: [0, 1],
      shown: `Client('${server.url}')`,
    })
    const start = server.calls.find((call) => call.path === '/api/v1/runs')
    expect(start?.body).toEqual({
      taskSet: 'set1',
      name: 'first',
      key: 'k',
      seed: 3,
      config: { uniformShare: 0.5 },
      plannedSteps: 9,
    })
    expect(server.calls.every((call) => call.authorization === 'Bearer secret')).toBe(true)
    expect(rows().map((row) => row.reward)).toEqual([null, 0, null])
    expect(rows()[0]).toMatchObject({ environment: 'e', task: '0', policyVersion: 7, turns: 2 })
    expect(rows()[2]).toMatchObject({ id: 'x', policyVersion: 7, seconds: null })
    expect(server.calls.at(-1)?.path).toMatch(/\/runs\/run1\/leases\/.+\.1\/release$/)
  })

  test('each process asks with request ids of its own, a given one is kept', async () => {
    const code = `
run = Client(sys.argv[1]).start_run(SET, "first", key="k")
run.next_batch(2, 2, 0); run.next_batch(2, 2, 0); run.next_batch(2, 2, 0, request_id="mine")
show()`
    await Promise.all([python(code, [server.url]), python(code, [server.url])])
    const ids = server.calls
      .filter((call) => call.path.endsWith('/batches'))
      .map((call) => call.body as { requestId: string })
    expect(ids.filter((ask) => ask.requestId === 'mine')).toHaveLength(2)
    expect(new Set(ids.map((ask) => ask.requestId)).size).toBe(5)
  })

  test('tries again what failed, and sends big reports packed and in slices', async () => {
    server.failures.push(503, 500)
    const answer = await python<{ accepted: number }>(
      `
run = Client(sys.argv[1]).start_run(SET, "first")
show(**run.report([{"environment": "e", "task": "1", "policyVersion": 0, "reward": 1, "messages": [{"role": "user", "content": "word " * 20}]} for _ in range(1200)]))`,
      [server.url],
    )
    expect(answer.accepted).toBe(1200)
    const reports = server.calls.filter((call) => call.path.endsWith('/rollouts'))
    expect(reports.map((call) => [call.gzip, (call.body as unknown[]).length])).toEqual([
      [true, 500],
      [true, 500],
      [true, 200],
    ])
    expect(server.calls.filter((call) => call.path.endsWith('/task-sets'))).toHaveLength(3)
  })

  test('a refusal is an error with the sentence of the server', async () => {
    const said = await python<{ said: string; status: number }>(
      `
run = Client(sys.argv[1]).start_run(SET, "first")
import urllib.request
urllib.request.urlopen(sys.argv[1] + "/arm")
try: run.next_batch(0, 1, 0)
except EnvSchedError as error: show(said=str(error), status=error.status)`,
      [armed(422)],
    )
    expect(said).toEqual({ said: 'No. (size: too small)', status: 422 })
  })

  test('without a server it draws uniformly, says so, keeps reports and sends them when it is back', async () => {
    const folder = newFolder()
    await server.stop()
    const offline = await python<{ rungs: string[]; drawn: string[][]; spooled: number; lease: null; told: number }>(
      `
import logging
lines = []
logging.getLogger("envsched").addFilter(lambda record: lines.append(record.getMessage()))
run = Client(sys.argv[1], retries=0, probe_seconds=0).start_run(SET, "first", key="k")
batches = [run.next_batch(6, 2, step) for step in range(4)]
states = [run.state()["offline"] for _ in range(3)]
spooled = sum(run.report([p.rollout(reward=1.0) for p in batch])["spooled"] for batch in batches)
show(rungs=[b.fallback["rung"] for b in batches], drawn=[[p.task for p in b] for b in batches], spooled=spooled, lease=batches[0].picks[0].lease,
     told=sum(line.startswith("Checkpoints hold no state") for line in lines))`,
      [server.url],
      folder,
    )
    expect(offline.rungs).toEqual(['offline', 'offline', 'offline', 'offline'])
    expect(offline.spooled).toBe(24)
    expect(offline.told).toBe(1)
    expect(offline.lease).toBeNull()
    for (const at of [0, 2]) {
      expect(new Set([...(offline.drawn[at] ?? []), ...(offline.drawn[at + 1] ?? [])]).size).toBe(12)
    }
    expect(readdirSync(path.join(folder, 'envsched-spool'))).toHaveLength(1)

    server = await standIn(server.port)
    const back = await python<{ batch: string; left: number }>(
      `
run = Client(sys.argv[1]).start_run(SET, "first", key="k")
batch = run.next_batch(2, 2, 4)
show(batch=batch.fallback["rung"], left=run.send_spooled())`,
      [server.url],
      folder,
    )
    expect(back).toEqual({ batch: 'none', left: 0 })
    expect(rows()).toHaveLength(24)
    expect(readdirSync(path.join(folder, 'envsched-spool'))).toEqual([])
  })

  test('a process that ends with reports on disk says where they are, once, and only then', async () => {
    const folder = newFolder()
    const code = `
from envsched import Client
import sys
run = Client(sys.argv[1], retries=0, probe_seconds=0).start_run({"name": "s", "environments": [{"key": "e"}], "tasks": [{"environment": "e", "key": "t"}]}, "first", key="k")
for step in range(2): run.report([p.rollout(reward=1.0) for p in run.next_batch(1, 1, step)])`
    const reached = await runPython(['-c', code, server.url], folder)
    expect([reached.code, reached.err]).toEqual([0, ''])
    const lost = await runPython(['-c', code, 'http://127.0.0.1:9'], folder)
    const told = lost.err.split('\n').filter((line) => line.startsWith('envsched: '))
    expect(told).toHaveLength(1)
    expect(told[0]).toContain(path.join(folder, 'envsched-spool'))
    expect(told[0]).toContain("the next run with the key 'k' sends them.")
  })

  test('a server that goes away in the middle loses no report and the same process goes on', async () => {
    const folder = newFolder()
    const away = await standIn()
    const running = python<{ rungs: string[]; sent: number }>(
      `
run = Client(sys.argv[1], retries=0, probe_seconds=0.05).start_run(SET, "first", key="k")
rungs, kept = [], 0
def step(version):
    global kept
    batch = run.next_batch(3, 1, version)
    rungs.append(batch.fallback["rung"])
    kept += run.report([p.rollout(reward=0.0) for p in batch])["spooled"]
step(0); print("ready", flush=True); time.sleep(1); step(1); print("gone", flush=True)
deadline = time.time() + 20
while rungs[-1] == "offline" and time.time() < deadline:
    time.sleep(0.1); step(len(rungs))
show(rungs=[rungs[0], rungs[1], rungs[-1]], sent=kept)`,
      [away.url],
      folder,
    )
    await until(() => away.calls.some((call) => call.path.endsWith('/rollouts')))
    await away.stop()
    await new Promise((done) => setTimeout(done, 1500))
    const again = await standIn(away.port)
    const result = await running
    expect(result.rungs).toEqual(['none', 'offline', 'none'])
    // the second stand-in knows no tasks, so the last batch is empty and only what was kept comes
    const reported = again.calls
      .filter((call) => call.path.endsWith('/rollouts'))
      .flatMap((call) => call.body as { id: string }[])
    expect(result.sent).toBeGreaterThan(0)
    expect(new Set(reported.map((row) => row.id)).size).toBe(result.sent)
    expect(reported).toHaveLength(result.sent)
    await again.stop()
  })

  test('the plain loop runs without a server as well', async () => {
    await server.stop()
    const recipe = path.join(publicFolder, 'recipes', 'loop_envsched.py')
    const result = await runPython([recipe, '--url', server.url, '--steps', '3'], newFolder())
    server = await standIn()
    expect(result.code).toBe(0)
    expect(result.out.trim().split('\n')).toHaveLength(3)
    expect(result.out).toContain('64 kept for later')
  })
})

/** The next call after GET /arm fails with this status. */
function armed(status: number): string {
  const push = server.calls.push.bind(server.calls)
  server.calls.push = (...calls) => {
    if (calls.some((call) => call.path === '/arm')) server.failures.push(200, status)
    return push(...calls)
  }
  return server.url
}

async function until(holds: () => boolean): Promise<void> {
  const deadline = Date.now() + 20_000
  while (!holds()) {
    if (Date.now() > deadline) throw new Error('It did not happen within 20 s.')
    await new Promise((done) => setTimeout(done, 20))
  }
}
