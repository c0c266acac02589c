import { expect, test } from 'vitest'
import { shapesOf, unfolded } from '@/lib/formats/containers/shape'
import { readFiles } from '@/lib/formats/read-files'
import { textFile } from '@/tests/unit/formats/source-files'

const rollout = (task: string, reward: unknown) => ({ environment: 'e', task, reward })

test('a list inside an object gives its rows, and the rest stands beside them', () => {
  const value = { info: { domain: 'shop' }, notes: [1], tasks: [{ id: 1 }], simulations: [{ id: 2 }, 3] }
  expect(shapesOf(value)).toEqual([
    { kind: 'list', member: 'simulations' },
    { kind: 'list', member: 'tasks' },
  ])
  expect(unfolded(value, { kind: 'list', member: 'simulations' })).toEqual({
    outer: { info: { domain: 'shop' }, notes: [1], tasks: [{ id: 1 }] },
    rows: [{ id: 2 }, 3],
  })
})

test('columns side by side are rows; lists of different lengths, or too few, are none', () => {
  const table = { environment: ['e', 'f'], task: ['1', '2'], reward: [0, null], step: 4 }
  expect(unfolded(table, { kind: 'columns' }).rows).toEqual([
    { environment: 'e', task: '1', reward: 0, step: 4 },
    { environment: 'f', task: '2', reward: null, step: 4 },
  ])
  expect(shapesOf(table)[0]).toEqual({ kind: 'columns' })
  for (const no of [
    { a: [1], b: [1, 2], c: [1] },
    { a: [1], b: [1] },
    { a: [], b: [], c: [] },
  ])
    expect(shapesOf(no)).toEqual([])
})

test('both are read as if the rows stood alone', async () => {
  const rows = [rollout('1', 0), rollout('2', null), rollout('1', 1)]
  const columns = { environment: rows.map(() => 'e'), task: ['1', '2', '1'], reward: [0, null, 1] }
  const alone = await readFiles([textFile('a.jsonl', rows.map((row) => JSON.stringify(row)).join('\n'))])
  for (const text of [
    JSON.stringify({ results: rows }, null, 1),
    JSON.stringify({ n: 3, items: rows }),
    JSON.stringify(columns),
  ]) {
    const source = await readFiles([textFile('a.json', text)])
    expect([...source.groups]).toEqual([...alone.groups])
    expect(source.tally).toMatchObject({ rows: 3, kept: 3 })
  }
})
