/**
 * kill -9 at any moment of a batch, a report, a release or an override, with a trainer that asks again: nothing that was
 * acknowledged is lost, nothing counts twice, and the run ends as one that was never killed, to the bit.
 * KILLS and KILL_SEED ask for more of it.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, expect, it } from 'vitest'
import type { BatchAnswer } from '@/lib/contract/batch'
import type { OverrideChange } from '@/lib/engine/log-entry'
import { openRun } from '@/lib/service/open-run'
import type { Runtime } from '@/lib/service/runtime'
import type { Provider } from '@/lib/store/database'
import { readEntries } from '@/lib/store/log'
import { listOverrides } from '@/lib/store/override'
import { findRun } from '@/lib/store/run'
import { pruneSnapshots } from '@/lib/store/snapshot'
import { createTestDatabase, isAvailable, stopPostgresql, type TestDatabase } from '@/tests/support/database'
import { randomOf } from '@/tests/support/random-set'
import { answerTo, type ServiceCall } from '@/tests/support/service-call'
import { openTestRuntime, START, startToyRun, toyReward } from '@/tests/support/toy-run'

const KILLS = Number(process.env.KILLS ?? 3)
const STEPS = 8
const SNAPSHOT_EVERY = '13'
const ENV = { ENVSCHED_SNAPSHOT_EVERY: SNAPSHOT_EVERY }

let database: TestDatabase
let child: ChildProcess | null = null
afterEach(async () => {
  await kill()
  await database.drop()
})
afterAll(stopPostgresql)

async function start(): Promise<ChildProcess> {
  const begun = fork('tests/support/service-crash.ts', {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, DATABASE_URL: database.url, ENVSCHED_SNAPSHOT_EVERY: SNAPSHOT_EVERY },
  })
  await new Promise<void>((resolve, reject) => {
    begun.once('message', () => resolve())
    begun.once('exit', (code) => reject(new Error(`the process ended with ${code} before it was ready`)))
  })
  begun.removeAllListeners('exit')
  return begun
}

async function kill(): Promise<void> {
  const running = child
  child = null
  if (running === null || running.exitCode !== null || running.signalCode !== null) return
  const ended = once(running, 'exit')
  running.kill('SIGKILL')
  await ended
}

/** One call, killed after `after` ms when that is a number; null = it was killed before it answered. */
async function send(call: ServiceCall, after: number | null): Promise<unknown> {
  child ??= await start()
  const running = child
  return new Promise((resolve, reject) => {
    const timer = after === null ? null : setTimeout(() => running.kill('SIGKILL'), after)
    const settle = (settled: () => void) => {
      if (timer !== null) clearTimeout(timer)
      running.removeAllListeners('message')
      running.removeAllListeners('exit')
      settled()
    }
    running.once('exit', () => settle(() => resolve(null)))
    running.once('message', (said: { value?: unknown; fault?: string }) =>
      settle(() => (said.fault === undefined ? resolve(said.value) : reject(new Error(said.fault)))),
    )
    running.send(call)
  })
}

type Do = (call: ServiceCall) => Promise<unknown>

/** What a trainer and a person do to a run: always the same, whoever is killed meanwhile. */
async function history(run: string, act: Do): Promise<string[][]> {
  const chosen: string[][] = []
  for (let step = 0; step < STEPS; step += 1) {
    const now = START + step * 60_000
    if (step === 4 || step === 7) {
      const changes =
        step === 4
          ? [
              { kind: 'quota', target: 'e1', lower: 0, upper: 0.2 },
              { kind: 'pin', target: 't5', batches: 2 },
            ]
          : [{ kind: 'weight', target: 'coverage', value: 0.4 }]
      await act({ run, now, kind: 'apply', changes })
    }
    const request = { requestId: `step-${step}`, size: 8, groupSize: 4, policyVersion: step }
    const batch = (await act({ run, now, kind: 'batch', request })) as BatchAnswer
    chosen.push(batch.picks.map((pick) => `${pick.lease} ${pick.slot} ${pick.id}`))
    for (const [place, pick] of batch.picks.entries()) {
      if (place === step % 8) {
        await act({ run, now: now + 1, kind: 'release', lease: pick.lease })
        continue
      }
      const all = Array.from({ length: 4 }, (_, k) => ({
        id: `${pick.lease}-${k}`,
        lease: pick.lease,
        policyVersion: step,
        reward: toyReward(pick.id, step, k),
        messages: [{ role: 'user', content: pick.reason }],
      }))
      // in two halves, so that a kill can fall between them; one group of each fourth batch stays partial
      await act({ run, now: now + 2, kind: 'report', rollouts: all.slice(0, 2) })
      if (step % 4 !== 3 || place !== 7) await act({ run, now: now + 3, kind: 'report', rollouts: all.slice(1) })
    }
  }
  return chosen
}

async function bytesOf(runtime: Runtime, run: string): Promise<string> {
  await openRun(runtime, run)
  return Buffer.from(await runtime.engine.encode(run)).toString('base64')
}

async function endsAsOneThatWasNot(provider: Provider): Promise<void> {
  database = await createTestDatabase(provider)
  const setup = await openTestRuntime(database.url, ENV)
  const control = await startToyRun(setup, { key: 'control' })
  const killed = await startToyRun(setup, { key: 'killed' })
  const expected = await history(control, (call) => answerTo(setup, call))
  await setup.end()

  const random = randomOf(Number(process.env.KILL_SEED ?? 3))
  const calls = STEPS * 15
  let kills = 0
  let acknowledged = 0
  let applied = 0
  const reader = await openTestRuntime(database.url, ENV)
  const chosen = await history(killed, async (call) => {
    if (call.kind === 'apply') applied += call.changes.length
    for (;;) {
      // a person looks whether the change is there before applying it again
      if (call.kind === 'apply') {
        const rows = await listOverrides<OverrideChange>(reader.database.db, killed)
        if (rows.length >= applied) return null
      }
      const likely = call.kind === 'report' || call.kind === 'release' ? KILLS / calls : KILLS / STEPS / 2
      const moment = random() < likely ? random() * (call.kind === 'batch' ? 120 : 30) : null
      // on a quick machine a call may be over before its kill: one is killed at once
      const after = kills === 0 && acknowledged >= 20 ? 0 : moment
      const value = await send(call, after)
      if (value !== null) {
        if (call.kind === 'report') {
          const { accepted, duplicates, rejected } = value as { accepted: number; duplicates: number; rejected: [] }
          expect([accepted + duplicates, rejected]).toEqual([call.rollouts.length, []])
        }
        acknowledged += 1
        return value
      }
      kills += 1
      child = null
      // PostgreSQL may still be at the last statement of a process that is gone
      if (provider === 'postgresql') await pause(300)
    }
  })
  await kill()
  if (process.env.KILLS !== undefined) console.log(`${kills} kills, ${acknowledged} calls acknowledged`)
  expect(kills).toBeGreaterThan(0)
  expect(chosen).toEqual(expected)

  // the log has no gap, and no lease holds a task that another holds
  const run = await findRun(reader.database.db, killed)
  const entries = await readEntries(reader.database.db, killed, 0)
  expect(entries.map((entry) => entry.seq)).toEqual(entries.map((_, index) => index + 1))
  expect(run?.logSeq).toBe(entries.length)
  const leases = await reader.database.db.client.lease.findMany({ where: { runId: killed, state: 'open' } })
  const open = leases.map((lease) => lease.task)
  expect(new Set(open).size).toBe(open.length)

  // from its snapshot, from its log alone, and as the one that was never killed
  const states = [await bytesOf(reader, killed), await bytesOf(reader, control)]
  await reader.end()
  const fresh = await openTestRuntime(database.url, ENV)
  await fresh.database.transaction((tx) => pruneSnapshots(tx, killed, 0))
  states.push(await bytesOf(fresh, killed))
  await fresh.end()
  expect(new Set(states).size).toBe(1)
}

for (const provider of ['sqlite', 'postgresql'] as const)
  it.skipIf(!isAvailable(provider))(
    `a run on ${provider} that is killed again and again ends as one that never was`,
    () => endsAsOneThatWasNot(provider),
  )
