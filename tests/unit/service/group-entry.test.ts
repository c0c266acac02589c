import { expect, it } from 'vitest'
import { spread, widened } from '@/lib/service/group-entry'
import { inSlices } from '@/lib/store/bulk'

/** more than a call takes arguments */
const MANY = 200_000

it('a group of 200,000 rollouts widens its range and has its variance', () => {
  const values = Array.from({ length: MANY }, (_, k) => k % 3)
  expect(widened([0, 1], values)).toEqual([0, 2])
  expect(widened([-1, 2], values)).toBeNull()
  expect(spread(values, [0, 2])).toMatchObject({ informative: true })
})

it('a look-up may find more rows than a call takes arguments', async () => {
  const found = await inSlices([1], async () => new Array<number>(MANY).fill(1))
  expect(found).toHaveLength(MANY)
})
