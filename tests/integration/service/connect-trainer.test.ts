import { afterEach, beforeEach, expect, it } from 'vitest'
import { connectState } from '@/lib/contract/connect'
import { readConnect } from '@/lib/service/connect-trainer'
import { createRun } from '@/lib/service/create-run'
import { readRecipes } from '@/lib/service/recipes'
import { registerTaskSet } from '@/lib/service/register-task-set'
import { reportRollouts } from '@/lib/service/report-rollouts'
import { requestBatch } from '@/lib/service/request-batch'
import type { Runtime } from '@/lib/service/runtime'
import { type TrainerCall, trainerCall } from '@/lib/service/trainer-calls'
import { appendAudit, RUN_IMPORTED } from '@/lib/store/audit'
import { updateRun } from '@/lib/store/run'
import { filledIn, setupLines } from '@/lib/view/recipes'
import { createTestDatabase, type TestDatabase } from '@/tests/support/database'
import { OPERATOR, openTestRuntime, START, toyTaskSet } from '@/tests/support/toy-run'

let database: TestDatabase
let runtime: Runtime & { end(): Promise<void> }
beforeEach(async () => {
  database = await createTestDatabase('sqlite')
  runtime = await openTestRuntime(database.url)
})
afterEach(async () => {
  await runtime.end()
  await database.drop()
})

function call(parts: Partial<Parameters<typeof trainerCall>[0]>): TrainerCall {
  const made = trainerCall({
    method: 'POST',
    path: '/runs',
    client: 'envsched.py/0.1.0',
    from: '10.0.0.1',
    bearer: true,
    who: { name: 'trainer', scope: 'report' },
    status: 200,
    code: null,
    message: null,
    answer: null,
    at: START,
    milliseconds: 3,
    ...parts,
  })
  if (made === null) throw new Error('not remembered')
  return made
}

const refused = (at: number) =>
  call({ path: '/task-sets', status: 401, code: 'bad_token', message: 'not known', who: null, at })

it('follows a trainer from nothing to its first report', async () => {
  const read = async (run: string | null = null, now = START) =>
    connectState.parse(await readConnect(runtime, run, now))
  expect(await read()).toMatchObject({ run: null, reached: null, taskSet: null, batch: null, report: null, runs: [] })

  runtime.trainerCalls.note(refused(START - 2))
  runtime.trainerCalls.note(refused(START - 1))
  expect((await read()).unauthorised).toMatchObject([{ code: 'bad_token', count: 2, from: '10.0.0.1' }])

  const catalog = await registerTaskSet(runtime, toyTaskSet(2, 4), START)
  const run = await createRun(runtime, { taskSet: catalog.id, name: 'first' }, OPERATOR, START)
  runtime.trainerCalls.note(call({ answer: { id: run.id } }))
  const started = await read()
  expect(started).toMatchObject({
    run: { id: run.id, name: 'first', mode: 'choose' },
    reached: { from: '10.0.0.1', client: 'envsched.py/0.1.0', token: 'trainer', scope: 'report' },
    taskSet: { tasks: 8, environments: 2, otherRuns: 0 },
    batch: null,
    report: null,
    unauthorised: [],
  })

  const request = { requestId: 'a', size: 4, groupSize: 2, policyVersion: 0 }
  const batch = await requestBatch(runtime, run.id, request, START + 1000)
  expect((await read()).batch).toMatchObject({ index: 1, picks: 4, groupSize: 2, rung: 'full' })

  const rows = batch.picks.flatMap((pick) =>
    [0, 1].map((k) => ({
      id: `${pick.lease}-${k}`,
      environment: pick.environment,
      task: pick.task,
      policyVersion: 0,
      reward: k,
    })),
  )
  const wrong = rows.map((row) => ({ ...row, task: row.task.replace('/', '-') }))
  await reportRollouts(runtime, run.id, wrong, START + 2000)
  const { report } = await read()
  expect(report).toMatchObject({ at: null, accepted: 0, refused: 8, allRefused: true })
  expect(report?.reasons).toHaveLength(1)
  expect(report?.reasons[0]).toMatchObject({
    count: 8,
    task: wrong[0]?.task,
    nearest: { environment: rows[0]?.environment, task: rows[0]?.task, distance: 1 },
    alike: 8,
  })

  await reportRollouts(runtime, run.id, rows, START + 3000)
  expect((await read()).report).toMatchObject({ accepted: 8, refused: 0, allRefused: false, reasons: [] })

  // what was remembered is lost with the process, what happened is not
  const { runtime: other } = { runtime: await openTestRuntime(database.url) }
  try {
    expect(await readConnect(other, run.id, START)).toMatchObject({
      reached: { from: null, client: null },
      batch: { index: 1, milliseconds: null },
      report: { accepted: 8, allRefused: false },
      lastCallAt: null,
    })
  } finally {
    await other.end()
  }
  await expect(readConnect(runtime, 'none', START)).rejects.toThrow('none')
})

it('waits for a new trainer while the newest run was over before, and tells when a run was first reached', async () => {
  const catalog = await registerTaskSet(runtime, toyTaskSet(2, 4), START)
  const run = await createRun(runtime, { taskSet: catalog.id, name: 'over' }, OPERATOR, START)
  runtime.trainerCalls.note(call({ answer: { id: run.id }, at: START }))
  runtime.trainerCalls.note(call({ answer: { id: run.id }, at: START + 5000 }))
  const opened = START + 90_000
  expect(await readConnect(runtime, null, opened, opened)).toMatchObject({
    run: { id: run.id },
    reached: { at: new Date(START).toISOString() },
  })
  await runtime.database.transaction((tx) => updateRun(tx, run.id, { status: 'finished', finishedAt: START + 6000 }))
  expect(await readConnect(runtime, null, opened, opened)).toMatchObject({ run: null, reached: null, lastCallAt: null })
  expect(await readConnect(runtime, null, opened, START)).toMatchObject({ run: { id: run.id } })
  expect(await readConnect(runtime, null, opened)).toMatchObject({ run: { id: run.id } })
  expect(await readConnect(runtime, run.id, opened, opened)).toMatchObject({ run: { id: run.id } })
  runtime.trainerCalls.note(call({ answer: { id: run.id }, at: opened + 1 }))
  expect(await readConnect(runtime, null, opened + 2, opened)).toMatchObject({ run: { id: run.id } })
})

it('leaves out runs that came in as histories or archives, until a trainer calls', async () => {
  const catalog = await registerTaskSet(runtime, toyTaskSet(2, 4), START)
  const body = { taskSet: catalog.id, name: 'old' }
  const history = await createRun(runtime, { ...body, mode: 'shadow' }, OPERATOR, START, 'import')
  const archive = await createRun(runtime, body, OPERATOR, START)
  const event = { runId: archive.id, at: START + 10, actor: 'mira', action: RUN_IMPORTED, detail: '{}' }
  await runtime.database.transaction((tx) => appendAudit(tx, event))
  await runtime.database.transaction((tx) => updateRun(tx, archive.id, { lastReportAt: START + 5 }))
  const runs = async () => (await readConnect(runtime, null, START + 20)).runs.map(({ id }) => id)
  expect(await readConnect(runtime, null, START + 20)).toMatchObject({ run: null, runs: [] })
  runtime.trainerCalls.note(call({ answer: { id: archive.id }, at: START + 12 }))
  expect(await runs()).toEqual([archive.id])
  runtime.trainerCalls.note(call({ answer: { id: history.id }, at: START + 12 }))
  expect((await runs()).sort()).toEqual([archive.id, history.id].sort())
  expect(await readConnect(runtime, null, START + 20)).toMatchObject({ run: { id: history.id } })
})

it('reads the recipes that are there, and none where there are none', async () => {
  const recipes = await readRecipes()
  const [loop] = recipes
  expect(loop?.file).toBe('loop_envsched.py')
  expect(loop?.summary).toMatch(/^A plain training loop with EnvSched/)
  expect(loop?.text.split('\n').filter((line) => line.endsWith('# yours')).length).toBeGreaterThan(2)
  expect(loop?.tested).toBeNull()
  for (const { file, summary, tested, text } of recipes.slice(1)) {
    expect(tested, file).toMatch(/^Tested against [^\n]+\.$/)
    expect(summary, file).toMatch(/^[A-Za-z][^\n]+\.$/)
    expect(setupLines(text).length, file).toBeGreaterThan(0)
    expect(filledIn(text, 'http://10.0.4.2:4310', 'es_rep_x'), file).toContain('http://10.0.4.2:4310')
    expect(filledIn(text, null, 'es_rep_x'), file).toContain('es_rep_x')
  }
  expect(await readRecipes('/nowhere')).toEqual([])
})
