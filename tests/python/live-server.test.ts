import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BatchSummary } from '@/lib/contract/batch'
import type { List } from '@/lib/contract/page'
import type { RolloutRow } from '@/lib/contract/rollout'
import type { RunSummary } from '@/lib/contract/run'
import { startServer, type TestServer } from '@/tests/support/server'
import { newFolder, publicFolder, python, pythonMissing, runPython } from './run-python'

describe.skipIf(pythonMissing)('the Python client on a live server', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server.stop())

  const at = () => `${server.url}/?token=${server.token}`
  const runs = async () => (await server.api<List<RunSummary>>('/runs')).body.items
  const runOf = async (key: string) => {
    const found = (await runs()).find((run) => run.key === key)
    if (found === undefined) throw new Error(`there is no run with the key ${key}`)
    return found
  }

  test('the plain loop trains, and the server holds what it reported', async () => {
    const recipe = path.join(publicFolder, 'recipes', 'loop_envsched.py')
    const flags = ['--url', server.url, '--token', server.token, '--steps', '4', '--key', 'loop']
    const result = await runPython([recipe, ...flags], newFolder())
    expect(result.err).toBe('')
    expect(result.code).toBe(0)
    const lines = result.out.trim().split('\n')
    expect(lines).toHaveLength(4)
    for (const line of lines) expect(line).toContain('64 accepted, 0 kept for later')
    const run = await runOf('loop')
    expect([run.batch, run.rollouts, run.status]).toEqual([4, 256, 'finished'])
    const batches = await server.api<List<BatchSummary>>(`/runs/${run.id}/batches`)
    expect(batches.body.items.map((batch) => batch.back)).toEqual([8, 8, 8, 8])
    const kept = await server.api<List<RolloutRow>>(`/runs/${run.id}/rollouts?limit=1`)
    expect(kept.body.total).toBe(256)
  })

  test('the same request gives the same batch, the same report counts once, NaN is never 0', async () => {
    const result = await python<{ same: boolean; first: object; again: object; status: string }>(
      `
client = Client(sys.argv[1])
run = client.start_run(client.register_tasks(SET), "twice", key="twice", seed=1)
one, two = [run.next_batch(3, 2, 0, request_id="r0") for _ in range(2)]
rows = [p.rollout(reward=r) for p in one for r in (float("nan"), 1.0)]
rows.append({"id": "lost", "environment": "e", "task": "unknown", "policyVersion": 0, "reward": 1})
show(same=one == two, first=run.report(rows), again=run.report(rows[:6]), status=run.summary()["status"])`,
      [at()],
    )
    expect(result.same).toBe(true)
    expect(result.first).toMatchObject({ accepted: 6, duplicates: 0, untrusted: { reward_missing: 3 }, spooled: 0 })
    expect((result.first as { rejected: object[] }).rejected).toMatchObject([{ index: 6, id: 'lost' }])
    expect(result.again).toMatchObject({ accepted: 0, duplicates: 6 })
    expect(result.status).toBe('live')
    const run = await runOf('twice')
    const kept = await server.api<List<RolloutRow>>(`/runs/${run.id}/rollouts`)
    expect(kept.body.items.filter((row) => row.reward === null)).toHaveLength(3)
    expect(kept.body.items.filter((row) => row.reward === 0)).toHaveLength(0)
  })

  test('a started trainer with the same key goes on, a released pick frees its task', async () => {
    const code = `
run = Client(sys.argv[1]).start_run(SET, "again", key="again")
batch = run.next_batch(1, 2, 0)
run.release(batch.picks[0].lease)
show(id=run.id, index=batch.index)`
    const first = await python<{ id: string; index: number }>(code, [at()])
    const second = await python<{ id: string; index: number }>(code, [at()])
    expect(second).toEqual({ id: first.id, index: first.index + 1 })
    expect((await runOf('again')).leasesOpen).toBe(0)
  })

  test('training waits while a person has paused the run', async () => {
    const waiting = python<{ seconds: number }>(
      `
import envsched
envsched.PAUSED_SECONDS = 0.2
run = Client(sys.argv[1]).start_run(SET, "paused", key="paused")
run.client.call("PATCH", f"/runs/{run.id}", {"status": "paused"})
begun = time.monotonic()
batch = run.next_batch(2, 2, 0)
show(seconds=time.monotonic() - begun, offline=batch.offline)`,
      [at()],
    )
    await expect
      .poll(async () => (await runs()).find((run) => run.key === 'paused')?.status, { timeout: 20_000 })
      .toBe('paused')
    await new Promise((done) => setTimeout(done, 600))
    const { id } = await runOf('paused')
    await server.api(`/runs/${id}`, { method: 'PATCH', body: { status: 'live' } })
    const result = await waiting
    expect(result).toMatchObject({ offline: false })
    expect(result.seconds).toBeGreaterThan(0.4)
  })

  test('a trainer whose run is deleted trains on with tasks drawn uniformly, and says why', async () => {
    const result = await python<{ rungs: string[]; why: string; told: object; tasks: number }>(
      `
run = Client(sys.argv[1]).start_run(SET, "doomed", key="doomed")
first = run.next_batch(2, 2, 0)
run.client.call("DELETE", f"/runs/{run.id}")
told = run.report([p.rollout(reward=1.0) for p in first])
second, third = run.next_batch(3, 2, 1), run.next_batch(3, 2, 2)
run.release(first.picks[0].lease)
run.finish()
show(rungs=[b.fallback["rung"] for b in (first, second, third)], why=third.fallback["why"], told=told, tasks=len(second.picks))`,
      [at()],
    )
    expect(result.rungs.slice(1)).toEqual(['offline', 'offline'])
    expect(result.rungs[0]).not.toBe('offline')
    expect(result.why).toMatch(/^The run "doomed" was deleted by mira on /)
    expect(result.tasks).toBe(3)
    expect(result.told).toMatchObject({ accepted: 0, spooled: 0, rejected: [{ index: 0 }, { index: 1 }] })
  })

  test('a trainer whose run a person finishes trains on uniformly, comes back with it, and its key opens it again', async () => {
    const result = await python<{ rungs: string[]; taken: number; mistake: string; status: string; id: boolean }>(
      `
run = Client(sys.argv[1]).start_run(SET, "ended", key="ended")
def by_hand(status): run.client.call("PATCH", f"/runs/{run.id}", {"status": status})
def step(version):
    batch = run.next_batch(3, 2, version)
    return batch.fallback["rung"], run.report([p.rollout(reward=1.0) for p in batch])["accepted"]
steps = [step(0)]
by_hand("finished")
steps += [step(1), step(2)]
by_hand("live")
steps.append(step(3))
run.finish()
try: mistake = run.next_batch(3, 2, 4) and ""
except EnvSchedError as error: mistake = error.code
again = Client(sys.argv[1]).start_run(SET, "ended", key="ended")
again.next_batch(3, 2, 4)
show(rungs=[rung for rung, _ in steps], taken=sum(n for _, n in steps), mistake=mistake, status=again.summary()["statusNote"], id=again.id == run.id)`,
      [at()],
    )
    expect(result.rungs.map((rung) => rung === 'offline')).toEqual([false, true, true, false])
    expect(result).toMatchObject({ taken: 12, mistake: 'run_over', status: 'opened again by mira', id: true })
  })

  test('two-stage groups are followed to the end of the budget, shares come to the size, and offline there is one stage', async () => {
    const result = await python<{
      handed: number
      firsts: number[]
      seconds: string[]
      payloads: boolean
      shares: object
      offline: number[]
    }>(
      `
run = Client(sys.argv[1], retries=0).start_run(SET, "stages", key="stages")
picks = run.next_batch(4, 8, 0, stages=(4, 4)).picks
firsts, handed, seconds, payloads, done = [p.group_size for p in picks], 0, [], True, {}
while picks:
    rows = []
    for p in picks:
        payloads = payloads and p.payload == int(p.task)
        if p.slot == "continued": seconds.append(p.task)
        for _ in range(p.group_size):
            done[p.task] = done.get(p.task, 0) + 1
            # every other task solves half of its rollouts, the others none
            rows.append(p.rollout(reward=float(int(p.task) % 2 and done[p.task] % 2)))
    handed += len(rows)
    picks = run.report(rows).next
shares = run.shares(6, 1, group_size=2)
run.client.url = "http://127.0.0.1:9"
offline = run.next_batch(2, 8, 1, stages=(4, 4))
show(handed=handed, firsts=firsts, seconds=seconds, payloads=payloads, shares=shares, offline=[p.group_size for p in offline] + [sum(run.shares(6, 1, group_size=2).values())])`,
      [at()],
    )
    expect(result).toMatchObject({
      handed: 32,
      firsts: [4, 4, 4, 4],
      payloads: true,
      shares: { e: 6 },
      offline: [8, 8, 6],
    })
    expect(result.seconds.every((task) => Number(task) % 2 === 1)).toBe(true)
    const run = await runOf('stages')
    const batches = await server.api<List<BatchSummary>>(`/runs/${run.id}/batches`)
    expect(batches.body.items.map(({ stages, shares }) => [stages, shares?.length ?? null])).toEqual([
      [null, 1],
      [[4, 4], null],
    ])
  })

  test('a checkpoint holds the state, and a restore waits for the server in the order of the reports', async () => {
    const result = await python<{
      state: Record<string, unknown>
      size: number
      same: boolean
      done: Record<string, unknown>
      offline: Record<string, unknown>
      nothing: Record<string, unknown>
      pending: Record<string, unknown>
      sent: number
      wrong: string
    }>(
      `
run = Client(sys.argv[1], retries=0).start_run(SET, "kept", key="kept", seed=1)
play = lambda batch: run.report([p.rollout(reward=1.0) for p in batch for _ in range(p.group_size)])
play(run.next_batch(2, 2, 0))
state = json.loads(json.dumps(run.state()))
lost = run.next_batch(2, 2, 1)
play(lost)
done = run.restore(state)
again = run.next_batch(2, 2, 1)
here, run.client.url = run.client.url, "http://127.0.0.1:9"
def row(name): return {"id": name, "environment": "e", "task": "5", "policyVersion": 2, "reward": 1}
run.report([row("before")])
offline = run.state()
pending = run.restore(state)
run.report([row("after"), row("before")])
run.client.url, run.client._outage = here, None
sent = run.send_spooled()
nothing = run.restore(offline)
try: run.restore({**state, "fingerprint": "0" * 32})
except EnvSchedError as error: wrong = str(error)
show(state=state, size=len(json.dumps(state)), same=[p.task for p in lost] == [p.task for p in again], done=done, offline=offline,
  pending=pending, sent=sent, nothing=nothing, wrong=wrong)`,
      [at()],
    )
    expect(result.state).toMatchObject({ version: 1, epoch: 1, batch: 1, policyVersion: 0, rollouts: 4 })
    expect(result.size).toBeLessThan(600)
    expect(result.same).toBe(true)
    expect(result.done).toMatchObject({ restored: true, epoch: 2, batch: 1, superseded: { batches: 1, rollouts: 4 } })
    expect(result.offline).toMatchObject({ offline: true })
    expect(result.pending).toMatchObject({ restored: false, pending: true })
    expect(result.nothing).toMatchObject({ restored: false, pending: false })
    expect(result.sent).toBe(3)
    expect(result.wrong).toContain('does not fit the run "kept"')
    const { id, epoch } = await runOf('kept')
    expect(epoch).toBe(3)
    const kept = await server.api<List<RolloutRow>>(`/runs/${id}/rollouts`)
    const named = kept.body.items
      .map((row) => [row.id, row.superseded])
      .filter(([name]) => /^(before|after)/.test(`${name}`))
    expect(named).toEqual([
      ['before', false],
      ['after', false],
      ['before (epoch 2)', true],
    ])
  })

  test('a wrong token is refused with a sentence that does not repeat it', async () => {
    const said = await python<{ status: number; said: string }>(
      `
try: Client(sys.argv[1], "wrong-token").start_run(SET, "x")
except EnvSchedError as error: show(status=error.status, said=str(error))`,
      [server.url],
    )
    expect(said.status).toBe(401)
    expect(said.said).toContain('set ENVSCHED_TOKEN')
    expect(said.said).not.toContain('wrong-token')
  })
})
