/**
 * Steering where it is awkward: two people at once, the same undo twice, an override that has run out, a draft as long as
 * drafts may be, and targets that there are not.
 */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { applyDraft, undoOverride } from '@/lib/service/apply-overrides'
import { proposeNext } from '@/lib/service/next-batch'
import { previewDraft } from '@/lib/service/preview-draft'
import { readRun } from '@/lib/service/runs'
import type { Runtime } from '@/lib/service/runtime'
import { readSteering } from '@/lib/service/steering'
import { createTestDatabase, type TestDatabase } from '@/tests/support/database'
import { OPERATOR, openTestRuntime, START, startToyRun, train } from '@/tests/support/toy-run'

let database: TestDatabase
let runtime: Runtime & { end(): Promise<void> }
let run: string
beforeEach(async () => {
  database = await createTestDatabase('sqlite')
  runtime = await openTestRuntime(database.url)
  run = await startToyRun(runtime)
  await train(runtime, run, 0, 2)
})
afterEach(async () => {
  await runtime.end()
  await database.drop()
})

const cursor = async () => (await readRun(runtime, run, START)).cursor
const apply = (changes: object[], at: number, anyway = false) =>
  applyDraft(runtime, run, { changes, cursor: at, anyway }, OPERATOR, START)
const undo = (id: string) => undoOverride(runtime, run, id, '', OPERATOR, START)
const weight = { kind: 'weight', target: 'coverage', value: 0.5 }

it('two people apply at once: one is first, the other sees that the run moved', async () => {
  const at = await cursor()
  const results = await Promise.allSettled([apply([weight], at), apply([{ kind: 'ban', target: 't1' }], at)])
  expect(results.map((one) => one.status)).toEqual(['fulfilled', 'rejected'])
  expect(results[1]).toMatchObject({ reason: { status: 409, code: 'log_moved' } })
  expect((await readSteering(runtime, run)).history).toHaveLength(1)
  await expect(apply([weight], at + 1000)).rejects.toMatchObject({ status: 409 })
})

it('the same undo twice, at once and afterwards, undoes once', async () => {
  const { overrides } = await apply([weight], await cursor())
  const id = overrides[0]?.id ?? ''
  const results = await Promise.allSettled([undo(id), undo(id)])
  expect(results.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
  const refused = results.find((one) => one.status === 'rejected')
  expect([409, 422]).toContain((refused?.reason as { status?: number } | undefined)?.status)
  await expect(undo(id)).rejects.toMatchObject({ status: 409, code: 'already_undone' })
  expect((await readSteering(runtime, run)).history).toHaveLength(2)
})

it('an override that has run out cannot be undone, and says so', async () => {
  const { overrides } = await apply([{ kind: 'pin', target: 't1', batches: 1 }], await cursor())
  await train(runtime, run, 2, 3)
  await expect(undo(overrides[0]?.id ?? '')).rejects.toMatchObject({ status: 422, code: 'refused' })
  await expect(undo('o999')).rejects.toMatchObject({ status: 404 })
  await expect(undo('t1')).rejects.toMatchObject({ status: 404 })
})

it('a draft of 500 changes is previewed, applied whole and read back; one more is refused', async () => {
  const changes = Array.from({ length: 500 }, (_, index) =>
    index % 2 === 0
      ? { kind: 'boost', target: `t${index % 48}`, factor: (index % 9) / 2 }
      : { kind: 'weight', target: 'coverage', value: (index % 20) / 10 },
  )
  const preview = await previewDraft(runtime, run, { changes }, START)
  expect([preview.refused, preview.draft.pickList.length]).toEqual([[], 8])
  const applied = await apply(changes, preview.cursor)
  expect(applied.overrides).toHaveLength(500)
  expect((await readSteering(runtime, run)).history).toHaveLength(500)
  await train(runtime, run, 2, 1)
  await expect(apply([...changes, weight], 0, true)).rejects.toMatchObject({ status: 422, code: 'invalid' })
})

it('what there is not is refused by name, and nothing is applied by half', async () => {
  const bad = [
    { kind: 'quota', target: 'e99', lower: 0, upper: 0.5 },
    { kind: 'quota', target: 'shop/1', lower: 0, upper: 0.5 },
    { kind: 'quota', target: 'e1', lower: 0.6, upper: 0.5 },
    { kind: 'pin', target: 't48' },
    { kind: 'boost', target: 'e4', factor: 2 },
    { kind: 'lift', target: 'o7' },
    { kind: 'weight', target: 'recency', value: 1.01 },
  ]
  const preview = await previewDraft(runtime, run, { changes: [weight, ...bad] }, START)
  expect(preview.refused.map((one) => one.index)).toEqual(bad.map((_, index) => index + 1))
  await expect(apply([weight, ...bad], await cursor())).rejects.toMatchObject({ status: 422, code: 'refused' })
  expect((await readSteering(runtime, run)).history).toEqual([])
})

it('sizes of a proposal and notes of an undo that cannot be are refused before any work is done', async () => {
  for (const size of [0, -1, 1.5, 1e9, Number.NaN, Number.POSITIVE_INFINITY, '8', {}])
    await expect(proposeNext(runtime, run, size as number, START)).rejects.toMatchObject({ status: 422 })
  expect((await proposeNext(runtime, run, 3, START)).pickList).toHaveLength(3)
  const { overrides } = await apply([weight], await cursor())
  for (const note of ['x'.repeat(501), null, 5, {}])
    await expect(
      undoOverride(runtime, run, overrides[0]?.id ?? '', note as string, OPERATOR, START),
    ).rejects.toMatchObject({ status: 422 })
  expect((await readSteering(runtime, run)).history).toHaveLength(1)
})
