import { describe, expect, it } from 'vitest'
import type { Preview } from '@/lib/contract/steering'
import { askedLink, askedSentence, workedBatch } from '@/lib/view/steering-asked'
import { leftOut } from '@/tests/support/view-fixtures'

const of = (id: string) => ({ task: { id, key: id }, reason: 'Others score higher under the draft', score: 0 })
function preview(parts: {
  enters?: string[]
  leaves?: string[]
  picks?: string[]
  left?: Preview['draft']['leftOut']
}) {
  const { enters = [], leaves = [], picks = [], left = [] } = parts
  const draft = { pickList: [...enters, ...picks].map(of), leftOut: left }
  return { batch: 20, enters: enters.map(of), leaves: leaves.map(of), draft } as unknown as Preview
}
const said = (parts: Parameters<typeof preview>[0], worked: number | null) =>
  askedSentence(preview(parts), 't12', 'airline/012', worked)

describe('the task a draft was worked out for', () => {
  it('is said to enter, to be picked anyway, to leave, or not to enter', () => {
    expect(said({ enters: ['t12'] }, 19)).toBe('airline/012 enters batch 20 under the draft.')
    expect(said({ picks: ['t12'] }, 19)).toBe('airline/012 is in batch 20 anyway, with or without the draft.')
    expect(said({ leaves: ['t12'] }, 20)).toBe(
      'airline/012 leaves batch 20 under the draft: others score higher under the draft.',
    )
    expect(said({ picks: ['t1'] }, 19)).toBe(
      'airline/012 does not enter batch 20: the change was worked out for batch 19; since then scores and picks have moved.',
    )
  })

  it('gives the reason where the preview knows it', () => {
    const row = (sentence: string) => {
      const { task, ...rest } = leftOut('a', 'RET', { sentence })
      return [{ ...rest, task: { ...task, id: 't12' } }]
    }
    expect(said({ left: row('Its rollouts are still out') }, 19)).toBe(
      'airline/012 does not enter batch 20: the change was worked out for batch 19; since then: its rollouts are still out.',
    )
    expect(said({ left: row('RET is paused') }, 20)).toBe('airline/012 does not enter batch 20: RET is paused.')
    expect(said({}, null)).toBe('airline/012 does not enter batch 20 under the draft as it is.')
  })

  it('travels in the link', () => {
    const link = new URL(askedLink('r 1', 'weight:coverage:1.36', 't12', 19), 'http://x')
    expect(link.searchParams.get('draft')).toBe('weight:coverage:1.36')
    expect(link.searchParams.get('for')).toBe('t12')
    expect(workedBatch(link.searchParams.get('worked'))).toBe(19)
    expect([null, '', '0', '-0', 'x', '1.5'].map(workedBatch)).toEqual([null, null, null, null, null, null])
  })
})
