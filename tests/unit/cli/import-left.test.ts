import { expect, test } from 'vitest'
import { columnsSentence } from '@/lib/cli/import-report'
import { isLeft } from '@/lib/cli/import-request'
import { importJob } from '@/tests/support/import-job'

test('the same files again go on with what was stopped, and with what waits once columns are named', () => {
  const asked = {
    files: [
      { name: 'a', path: '/a', bytes: 0 },
      { name: 'b', path: '/b', bytes: 7 },
    ],
    name: 'n',
    mapping: null,
  }
  const stopped = importJob({ name: 'n', bytes: 7, state: 'cancelled', resumable: true })
  expect(isLeft(stopped, asked)).toBe(true)
  expect(isLeft({ ...stopped, bytes: 8 }, asked)).toBe(false)
  expect(isLeft({ ...stopped, name: 'm' }, asked)).toBe(false)
  expect(isLeft({ ...stopped, resumable: false }, asked)).toBe(false)
  const waiting = importJob({ name: 'n', bytes: 7, state: 'mapping' })
  expect(isLeft(waiting, asked)).toBe(false)
  expect(isLeft(waiting, { ...asked, mapping: { reward: 'x' } })).toBe(true)
})

test('unknown columns are listed with flags that can be pasted', () => {
  const said = columnsSentence({
    file: 'a.csv',
    columns: [
      { name: 'the score', examples: ['0.5', '1'] },
      { name: 'empty', examples: [] },
    ],
    guess: { reward: 'the score', environment: '=a' },
  })
  expect(said).toContain("--map 'reward=the score' --map environment==a")
  expect(said).toContain('Columns: the score (0.5), empty')
})
