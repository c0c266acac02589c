/**
 * Steering over time: a preview that writes nothing, what moved meanwhile, undo of an undo, undo under a later change,
 * settings that expire, refusals with the nearest setting, and the run before and after an override.
 */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { applyDraft, undoOverride } from '@/lib/service/apply-overrides'
import { previewDraft } from '@/lib/service/preview-draft'
import { readOverrideEffect } from '@/lib/service/read-override-effect'
import { readRun } from '@/lib/service/runs'
import type { Runtime } from '@/lib/service/runtime'
import { readSteering } from '@/lib/service/steering'
import { createTestDatabase, type TestDatabase } from '@/tests/support/database'
import { answer, ask, OPERATOR, openTestRuntime, START, startToyRun, train } from '@/tests/support/toy-run'

let database: TestDatabase
let runtime: Runtime & { end(): Promise<void> }
let run: string
beforeEach(async () => {
  database = await createTestDatabase('sqlite')
  runtime = await openTestRuntime(database.url)
  run = await startToyRun(runtime)
  await train(runtime, run, 0, 3)
})
afterEach(async () => {
  await runtime.end()
  await database.drop()
})

const JONAS = { ...OPERATOR, name: 'jonas' }
const cursor = async () => (await readRun(runtime, run, START)).cursor
const apply = async (changes: object[], who = OPERATOR) =>
  applyDraft(runtime, run, { changes, cursor: await cursor() }, who, START)
const undo = (id: string) => undoOverride(runtime, run, id, '', OPERATOR, START)
const coverage = async () =>
  (await readSteering(runtime, run)).weights.find(({ name }) => name === 'coverage')?.now ?? Number.NaN
const weight = (value: number, batches?: number) => ({ kind: 'weight', target: 'coverage', value, batches })

/** Every row of every table, as text. */
async function wholeDatabase(): Promise<string> {
  const { client } = runtime.database.db
  const tables = await client.$queryRawUnsafe<{ name: string }[]>(
    "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name",
  )
  const rows: unknown[] = []
  for (const { name } of tables) rows.push(name, await client.$queryRawUnsafe(`SELECT * FROM "${name}" ORDER BY rowid`))
  return JSON.stringify(rows, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
}

it('a preview writes nothing, and the same draft gives the same answer', async () => {
  const changes = [weight(1.7), { kind: 'quota', target: 'e0', lower: 0, upper: 0.05 }, { kind: 'pin', target: 't5' }]
  const before = await wholeDatabase()
  const first = await previewDraft(runtime, run, { changes }, START)
  const second = await previewDraft(runtime, run, { changes }, START)
  expect(second).toEqual(first)
  expect(first.enters.length).toBeGreaterThan(0)
  expect(await wholeDatabase()).toBe(before)
  expect(before).toContain('shop/0')
})

it('a preview tells both expectations, each inside its interval, and the group sizes', async () => {
  for (let step = 3; step < 12; step++) await answer(runtime, run, step, await ask(runtime, run, step, 8, 8))
  const adaptive = { changes: [{ kind: 'group_sizing', value: 'adaptive' }], size: 32 }
  const { expected, sizes, size } = await previewDraft(runtime, run, adaptive, START + 12 * 60_000)
  expect(expected.nowLow).toBeLessThanOrEqual(expected.now)
  expect(expected.now).toBeLessThanOrEqual(expected.nowHigh)
  expect(expected.low).toBeLessThanOrEqual(expected.draft)
  expect(sizes.now).toEqual([{ rollouts: 8, picks: 32 }])
  expect(sizes.draft.length).toBeGreaterThan(1)
  expect(sizes.draft.reduce((sum, one) => sum + one.picks, 0)).toBe(size)
  expect(sizes.draft.reduce((sum, one) => sum + one.picks * one.rollouts, 0)).toBe(256)
})

it('what cannot be is refused with the nearest setting that can, and that one is accepted', async () => {
  await apply([{ kind: 'quota', target: 'e1', lower: 0.6, upper: 1 }])
  const changes = [
    { kind: 'quota', target: 'e0', lower: 0.7, upper: 1 },
    { kind: 'quota', target: 'e2', lower: 0, upper: 0.3 },
    { kind: 'quota', target: 'e2', lower: 0.5, upper: 0.3 },
    { kind: 'quota', target: 'e99', lower: 0.5, upper: 0.3 },
  ]
  const { refused } = await previewDraft(runtime, run, { changes }, START)
  expect(refused.map(({ index }) => index)).toEqual([0, 2, 3])
  expect(refused[0]?.nearest).toMatchObject({ kind: 'quota', target: 'e0', lower: 0.4, upper: 1 })
  expect(refused[1]?.nearest).toMatchObject({ target: 'e2', lower: 0.3, upper: 0.3 })
  expect(refused[2]?.nearest).toBeNull()
  const offered = refused.flatMap(({ nearest }) => (nearest === null ? [] : [nearest]))
  expect((await previewDraft(runtime, run, { changes: offered.slice(1) }, START)).refused).toEqual([])
})

it('a setting with an end gives way to the one before it', async () => {
  const { overrides } = await apply([weight(1.7, 2)])
  expect(overrides[0]).toMatchObject({ batches: 2, from: 4, until: 6, inForce: true })
  expect(await coverage()).toBeCloseTo(1.7)
  await train(runtime, run, 3, 3)
  expect(await coverage()).toBeCloseTo(1)
  expect((await readSteering(runtime, run)).history[0]).toMatchObject({ inForce: false, undoneBy: null })
})

it('who applies after a batch and after a colleague is told of both, and again of what comes after', async () => {
  const preview = await previewDraft(runtime, run, { changes: [weight(0.4)] }, START)
  expect(preview.newestOverride).toBe(0)
  await train(runtime, run, 3, 1)
  await apply([weight(1.5)], JONAS)
  const draft = { changes: [weight(0.4)], cursor: preview.cursor }
  const told = await applyDraft(runtime, run, draft, OPERATOR, START).catch((cause: unknown) => cause)
  expect(told).toMatchObject({ code: 'log_moved' })
  expect((told as { issues: object[] }).issues).toEqual([
    { path: 'batch', message: 'Batch 4 was issued.' },
    { path: 'o1', message: 'jonas set A: coverage weight 1 to 1.5.' },
  ])
  const anyway = { ...draft, anyway: true }
  await expect(applyDraft(runtime, run, { ...anyway, newestOverride: 0 }, OPERATOR, START)).rejects.toMatchObject({
    code: 'log_moved',
  })
  const done = await applyDraft(runtime, run, { ...anyway, newestOverride: 1 }, OPERATOR, START)
  expect(done).toMatchObject({ fromBatch: 5, overrides: [{ before: '1.5', after: '0.4', author: 'mira' }] })
})

it('an undo is undone by a new entry, and that one too', async () => {
  const { overrides } = await apply([weight(1.7)])
  const lifted = await undo(overrides[0]?.id ?? '')
  expect(lifted).toMatchObject({ kind: 'lift', sentence: 'undo of A', before: '1.7', after: '1', undoes: 'o1' })
  expect(await coverage()).toBeCloseTo(1)
  const again = await undo(lifted.id)
  expect(again).toMatchObject({ kind: 'weight', undoes: 'o2', inForce: true })
  expect(again.sentence).toBe('coverage weight 1 to 1.7 again, B taken back')
  expect(await coverage()).toBeCloseTo(1.7)
  await expect(undo(lifted.id)).rejects.toMatchObject({ code: 'already_undone' })
  await undo(again.id)
  expect(await coverage()).toBeCloseTo(1)
  expect((await readSteering(runtime, run)).history).toHaveLength(4)
})

it('the undo of a resume pauses again for what was left', async () => {
  await apply([{ kind: 'pause', target: 'e1', mode: 'hold', batches: 9 }])
  await train(runtime, run, 3, 2)
  const { overrides } = await apply([{ kind: 'resume', target: 'e1' }])
  const again = await undo(overrides[0]?.id ?? '')
  expect(again).toMatchObject({ kind: 'pause', batches: 7, inForce: true, environment: { id: 'e1' } })
  const { overrides: nothing } = await apply([{ kind: 'resume', target: 'e2' }])
  await expect(undo(nothing[0]?.id ?? '')).rejects.toMatchObject({ code: 'nothing_ended' })
})

it('an undo that later changes touched says that they hold', async () => {
  await apply([weight(0.5)])
  await apply([weight(1.5)], JONAS)
  const [newer, older] = (await readSteering(runtime, run)).history
  expect(newer).toMatchObject({ laterBy: null, backTo: '0.5' })
  expect(older).toMatchObject({ laterBy: { id: 'o2', letter: 'B' }, backTo: '1.5' })
  const lifted = await undo('o1')
  expect(lifted).toMatchObject({ before: '1.5', after: '1.5, held by B' })
  expect(await coverage()).toBeCloseTo(1.5)
  expect((await readSteering(runtime, run)).history[1]).toMatchObject({ id: 'o2', backTo: '1' })
})

it('before and after an override: batches apart, sums as stored, what else changed named', async () => {
  await train(runtime, run, 3, 3)
  await apply([{ kind: 'pause', target: 'e1', mode: 'hold', batches: 3 }])
  await apply([weight(0.6)], JONAS)
  await train(runtime, run, 6, 2)
  await apply([{ kind: 'quota', target: 'e2', lower: 0, upper: 0.1 }])
  await train(runtime, run, 8, 4)

  const pause = await readOverrideEffect(runtime, run, 'o1', 4)
  expect([pause.before, pause.after, pause.cut]).toEqual([
    { from: 3, to: 6, batches: 4 },
    { from: 7, to: 9, batches: 3 },
    'ended',
  ])
  expect(pause.environment?.id).toBe('e1')
  expect(pause.measures.picksShare?.after).toMatchObject({ value: 0, groups: 24 })
  expect(pause.measures.picksShare?.before?.value ?? 0).toBeGreaterThan(0)
  expect(pause.measures.picksShare?.difference?.high ?? 1).toBeLessThan(0)
  expect(pause.series.map(({ batch }) => batch)).toEqual([3, 4, 5, 6, 7, 8, 9])
  expect(pause.overlapping.map(({ letter, how, batch }) => `${letter} ${how} ${batch}`)).toEqual([
    'B began 7',
    'C began 9',
  ])
  expect(pause).toMatchObject({
    requested: 'hold',
    applied: { batch: 7, value: 'hold', detail: '0 of 8 picks of SHP' },
  })

  const plain = await readOverrideEffect(runtime, run, 'o2', 4)
  expect([plain.environment, plain.measures.picksShare, plain.cut]).toEqual([null, null, null])
  expect(plain).toMatchObject({ requested: '0.6', effective: '0.6', applied: { batch: 7, value: '0.6', detail: null } })
  const { informativeShare } = plain.measures
  for (const side of [informativeShare.before, informativeShare.after]) {
    expect(side?.low ?? 1).toBeLessThanOrEqual(side?.value ?? 0)
    expect(side?.value ?? 1).toBeLessThanOrEqual(side?.high ?? 0)
  }
  await expect(readOverrideEffect(runtime, run, 'o99', 4)).rejects.toMatchObject({ status: 404 })
})

it('an override whose first batch is not issued has nothing after it', async () => {
  await apply([weight(0.6)])
  const effect = await readOverrideEffect(runtime, run, 'o1', 10)
  expect([effect.after, effect.applied, effect.cut]).toEqual([null, null, 'newest'])
  expect(effect.measures.informativeShare.difference).toBeNull()
  expect(effect.before).toEqual({ from: 1, to: 3, batches: 3 })
})
