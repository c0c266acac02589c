/* Alarms through the whole service: a troubled world is trained over it, episodes open, stay, close, and survive a restart. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { taskSetInput } from '@/lib/contract/task-set'
import { evaluateAlarms, listAlarms, quietAlarm } from '@/lib/service/alarms'
import { readEnvironments } from '@/lib/service/read-run-pages'
import { reportRollouts } from '@/lib/service/report-rollouts'
import type { Runtime } from '@/lib/service/runtime'
import { listAlarms as listKept, upsertAlarms } from '@/lib/store/alarm'
import { makePolicy } from '@/lib/testbed/policy'
import { seededRandom } from '@/lib/testbed/random'
import { type Rollout, rollMany } from '@/lib/testbed/rollout'
import { taskSetOf } from '@/lib/testbed/task-set'
import { healthyWorld, withEnvironment } from '@/tests/support/alarm-worlds'
import { createTestDatabase, type TestDatabase } from '@/tests/support/database'
import { ask, openTestRuntime, START, startToyRun } from '@/tests/support/toy-run'

const healthy = healthyWorld(3)
const troubled = withEnvironment(healthy, 1, { contract: -9 })
const operator = { name: 'mira', scope: 'operate', token: 'one' } as const
const lost = (rollout: Rollout): Rollout => ({ ...rollout, status: 'infra_error', reward: null, error: 'out of disk' })

/** One batch, rolled out by an untrained policy; what `spoils` says is reported as lost. */
async function step(runtime: Runtime, run: string, k: number, spoils: (environment: number) => boolean) {
  const random = seededRandom(k + 1)
  const policy = makePolicy(troubled, 7)
  const batch = await ask(runtime, run, k, 24, 8)
  const report = batch.picks.flatMap((pick) => {
    const task = troubled.tasks.findIndex((one) => one.key === pick.task)
    const environment = troubled.tasks[task]?.environment ?? -1
    return rollMany(troubled, policy, task, 8, random).map((one, position) => {
      const rollout = spoils(environment) ? lost(one) : one
      const { reward, status, error, turns } = rollout
      return { id: `${pick.lease}-${position}`, lease: pick.lease, policyVersion: k, reward, status, error, turns }
    })
  })
  await reportRollouts(runtime, run, report, START + k * 60_000 + 30_000)
}

describe('alarms over the service', () => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await createTestDatabase('sqlite')
  })
  afterEach(() => database.drop())

  test('open with their batch, name their environment, close when the reason is gone, and are the same after a restart', async () => {
    let runtime = await openTestRuntime(database.url)
    const run = await startToyRun(runtime, { set: taskSetInput.parse(taskSetOf(troubled)), config: { target: 0.2 } })
    const held = async () => {
      await evaluateAlarms(runtime, run)
      return (await listAlarms(runtime, run)).map(({ id, since }) => `${id} since ${since}`)
    }
    for (let k = 0; k < 1; k += 1) await step(runtime, run, k, () => false)
    expect(await held()).toEqual([])
    for (let k = 1; k < 14; k += 1) await step(runtime, run, k, (environment) => environment === 4)
    const alarms = await held()
    expect(alarms.map((one) => one.split(' ')[0])).toEqual(expect.arrayContaining(['contract:1', 'failures:4']))
    const rows = await readEnvironments(runtime, run)
    expect(rows.map((row) => row.state)[1]).toBe('contract')
    expect(rows.map((row) => row.state)[4]).toBe('failing')
    expect(rows[1]?.sentence).toMatch(/^(\d+) of its last \1 rollouts carry an error text .* and none paid/)
    // the row takes the words that are kept, not ones of its own: they are the banner's
    const kept = (await listKept(runtime.database.db, run)).filter(({ key }) => key === 'contract:1')
    const said = kept.map((row) => ({ ...row, sentence: 'What the banner says.' }))
    await runtime.database.transaction((tx) => upsertAlarms(tx, run, said))
    expect((await readEnvironments(runtime, run))[1]?.sentence).toBe('What the banner says.')
    expect(rows.map((row) => row.uniformRollouts).every((count) => count >= 0)).toBe(true)

    const quiet = (batches: unknown) => quietAlarm(runtime, run, 'contract:1', { batches }, operator, START)
    const keeper = async () => {
      const one = (await listAlarms(runtime, run)).find(({ id }) => id === 'contract:1')
      return [one?.acknowledgedBy, one?.quietUntil]
    }
    await quiet(2)
    await evaluateAlarms(runtime, run)
    expect(await keeper()).toEqual(['mira', 16])
    await quiet(0)
    expect(await keeper()).toEqual([null, null])
    await quiet(null)
    expect(await keeper()).toEqual(['mira', null])
    await quiet(2)
    await expect(quiet(-1)).rejects.toMatchObject({ code: 'invalid' })
    await expect(quietAlarm(runtime, run, 'none', { batches: 1 }, operator, START)).rejects.toMatchObject({
      code: 'not_found',
    })
    await runtime.end()

    runtime = await openTestRuntime(database.url)
    expect(await held()).toEqual(alarms)
    for (let k = 14; k < 30; k += 1) await step(runtime, run, k, () => false)
    const after = await held()
    // two batches later it is told again
    expect((await listAlarms(runtime, run)).find(({ id }) => id === 'contract:1')?.acknowledgedBy).toBeNull()
    expect(after.filter((one) => one.startsWith('failures'))).toEqual([])
    expect(after).toContain(alarms.find((one) => one.startsWith('contract:1')))
    const left = after.filter((one) => !one.startsWith('contract:1') && !one.startsWith('waste'))
    expect(left).toEqual([])
    await runtime.end()
  })
})
