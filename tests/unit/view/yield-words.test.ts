import { expect, it } from 'vitest'
import { askedWords } from '@/lib/view/yield-words'

it('says the size of the groups that were asked, in stages where there are two', () => {
  expect(askedWords({ groupSize: 8, stages: null })).toBe('groups of 8')
  expect(askedWords({ groupSize: 4, stages: [4, 4] })).toBe('groups of 4 + 4')
  expect(askedWords({ groupSize: null, stages: null })).toBe('groups')
})
