import { describe, expect, test } from 'vitest'
import { groupSplit } from '@/lib/view/group-split'
import { rolloutVerdict } from '@/lib/view/rollout-verdict'
import { rolloutGroup, sibling, siblingsOf, verdictOf } from './rollout-fixture'

const MARKS = '10110010'
const fill = (at: number) => Number(MARKS[at])
const answerOf = (marks: string, checks: (at: number) => Record<string, number | null>) =>
  rolloutVerdict(verdictOf(marks, siblingsOf(marks, checks))).answer

describe('the check that splits a group', () => {
  test('is the one that holds where it is solved and nowhere else', () => {
    const checks = (at: number) => ({ booking: 1, payment: fill(at) * 0.5 })
    expect(groupSplit(siblingsOf(MARKS, checks))).toEqual({ kind: 'splits', names: ['payment'] })
    expect(answerOf(MARKS, checks)).toBe(
      '4 of 8 solve airline_27 at policy 60. The check that splits the group is “payment”.',
    )
  })

  test('may be several, in the order reported, and may count the other way round', () => {
    const checks = (at: number) => ({ a: fill(at) * 2, penalty: 1 - fill(at), c: fill(at) + 3 })
    expect(groupSplit(siblingsOf(MARKS, checks))).toEqual({ kind: 'splits', names: ['a', 'penalty', 'c'] })
    expect(answerOf(MARKS, checks)).toContain('The checks that split the group are “a”, “penalty” and 1 more.')
  })

  test('is not the reward itself', () => {
    expect(groupSplit(siblingsOf(MARKS, (at) => ({ reward: fill(at) })))).toEqual({ kind: 'reward' })
    // alone it says nothing, whatever it is called; beside other checks one that decides the reward is the answer
    expect(groupSplit(siblingsOf(MARKS, (at) => ({ tests: fill(at) })))).toEqual({ kind: 'reward' })
    const decides = (at: number) => ({ booking: 1, payment: fill(at) })
    expect(groupSplit(siblingsOf(MARKS, decides))).toEqual({ kind: 'splits', names: ['payment'] })
    for (const name of ['reward', 'total_reward', 'Final score', 'total'])
      expect(groupSplit(siblingsOf(MARKS, (at) => ({ [name]: fill(at), booking: 1 }))), name).toEqual({ kind: 'none' })
    const both = (at: number) => ({ reward: fill(at), payment: fill(at) * 3 })
    expect(groupSplit(siblingsOf(MARKS, both))).toEqual({ kind: 'splits', names: ['payment'] })
    expect(answerOf(MARKS, (at) => ({ reward: fill(at) }))).toContain('does not say what separates them')
  })

  test('is not one that misses a rollout: it comes closest, or nothing does', () => {
    const seven = (at: number) => ({ payment: at === 0 ? 0 : fill(at) * 2 })
    expect(groupSplit(siblingsOf(MARKS, seven))).toEqual({ kind: 'closest', name: 'payment', right: 7, of: 8 })
    expect(answerOf(MARKS, seven)).toContain('No reward component separates them; “payment” comes closest, in 7 of 8.')
    expect(groupSplit(siblingsOf(MARKS, () => ({ booking: 1 })))).toEqual({ kind: 'none' })
    expect(answerOf(MARKS, () => ({ booking: 1 }))).toContain('No reward component separates them.')
    // better than chance, but no better than calling all of them failed
    expect(groupSplit(siblingsOf('10000000', (at) => ({ c: at === 3 ? 2 : 0 })))).toEqual({ kind: 'none' })
  })

  test('is unknown where values are missing, null or no number', () => {
    expect(groupSplit(siblingsOf(MARKS, () => ({})))).toEqual({ kind: 'absent' })
    expect(answerOf(MARKS, () => ({}))).toContain('sent no reward components')
    for (const missing of [null, Number.NaN, Number.POSITIVE_INFINITY]) {
      const checks = (at: number) => ({ payment: at === 2 ? missing : fill(at) * 2 })
      expect(groupSplit(siblingsOf(MARKS, checks))).toEqual({ kind: 'none' })
    }
    const some = siblingsOf(MARKS, (at): Record<string, number> => (at === 5 ? {} : { payment: fill(at) * 2 }))
    expect(groupSplit(some)).toEqual({ kind: 'none' })
    // -0 is 0
    expect(groupSplit(siblingsOf('10', (at) => ({ p: at === 0 ? 2 : -0 })))).toMatchObject({ kind: 'splits' })
  })

  test('leaves untrusted rollouts out, and takes the first of two components of a name', () => {
    const marks = '1x0'
    const twice = [...marks].map((mark, at) =>
      sibling(mark === 'x' ? null : Number(mark), [
        { name: 'p', value: at === 0 ? 5 : 1 },
        { name: 'p', value: at === 0 ? 0 : 9 },
      ]),
    )
    expect(groupSplit(twice)).toEqual({ kind: 'splits', names: ['p'] })
  })

  test('is not asked for where all are alike, one or none is trusted', () => {
    for (const marks of ['1111', '0000', '1', 'xx', '1x'])
      expect(groupSplit(siblingsOf(marks, () => ({ p: 1 }))), marks).toEqual({ kind: 'alike' })
    expect(groupSplit([])).toEqual({ kind: 'alike' })
  })

  test('of graded rewards is what goes with them, from four rollouts on', () => {
    const graded = [0.1, 0.4, 0.8, 1].map((reward) =>
      sibling(reward, [
        { name: 'style', value: 0.5 },
        { name: 'length', value: -2 * reward },
      ]),
    )
    expect(groupSplit(graded)).toEqual({ kind: 'goes', name: 'length', correlation: expect.closeTo(-1, 9) })
    expect(groupSplit(graded.slice(0, 3))).toEqual({ kind: 'none' })
    expect(rolloutVerdict({ in: rolloutGroup('1111'), siblings: graded }).answer).toBe(
      'Four rollouts of airline_27 at policy 60 have 0.10 to 1.00 of the reward. What goes with it most closely is the check “length”, correlation −1.00.',
    )
  })
})

describe('the verdict', () => {
  const plain = (marks: string) => answerOf(marks, () => ({}))

  test('counts solved of trusted, and says what is out', () => {
    expect(plain('1111')).toBe('All 4 solve airline_27 at policy 60.')
    expect(plain('0000')).toBe('None of 4 solve airline_27 at policy 60.')
    expect(plain('0')).toBe('The one counted rollout of airline_27 at policy 60 fails.')
    expect(plain('1')).toBe('The one counted rollout of airline_27 at policy 60 solves it.')
    expect(plain('10x?????')).toBe('1 of 2 solves airline_27 at policy 60 so far; 5 are still out.')
    expect(plain('1?')).toBe('The one counted rollout of airline_27 at policy 60 solves it so far; 1 is still out.')
    expect(plain('xx')).toBe('No rollout of airline_27 at policy 60 has a usable reward.')
    expect(plain('????')).toBe('No rollout of airline_27 at policy 60 has a usable reward so far; 4 are still out.')
  })

  test('says nothing of what separates where it did not see the whole group', () => {
    const siblings = siblingsOf('10', () => ({}))
    expect(rolloutVerdict({ in: rolloutGroup('10101010'), siblings }).answer).toBe(
      '1 of 2 solves airline_27 at policy 60.',
    )
  })

  test('tells what failures say, by the check that splits', () => {
    const words = (value: number, message: string) => [
      { name: 'booking', value: 0, message: 'always so' },
      { name: 'payment', value, message },
    ]
    const found = 'expected card_9027,\n found card_4410.'
    const siblings = [
      sibling(1, words(2, 'fine')),
      sibling(0, words(0, found)),
      sibling(0, words(0, found)),
      sibling(0, words(0, 'expected a refund')),
    ]
    const { context } = rolloutVerdict({ in: rolloutGroup('1000'), siblings })
    expect(context).toContain('2 of the 3 failures say "payment: expected card_9027, found card_4410".')
    const one = rolloutVerdict({ in: rolloutGroup('10'), siblings: siblings.slice(0, 2) })
    expect(one.context).toContain('The failure says "payment: expected card_9027')
    const apart = [sibling(1), sibling(0, [], { error: 'a' }), sibling(0, [], { status: 'truncated' })]
    expect(rolloutVerdict({ in: rolloutGroup('100'), siblings: apart }).context).toContain('differ in what they say')
    const cut = [sibling(1), sibling(0, [], { status: 'truncated' })]
    expect(rolloutVerdict({ in: rolloutGroup('10'), siblings: cut }).context).toContain('The failure was truncated.')
    const bothCut = [...cut, sibling(0, [], { status: 'truncated' })]
    expect(rolloutVerdict({ in: rolloutGroup('100'), siblings: bothCut }).context).toContain(
      'Both failures were truncated.',
    )
    const long = [sibling(1), sibling(0, [], { error: 'x'.repeat(5000) })]
    expect(rolloutVerdict({ in: rolloutGroup('10'), siblings: long }).context.length).toBeLessThan(250)
  })

  test('tells what is not counted, and the variance beside its prediction', () => {
    const group = { ...rolloutGroup('10x'), predictedVariance: 0.214 }
    const { context } = rolloutVerdict({ in: group, siblings: siblingsOf('10x', () => ({})) })
    expect(context).toContain('1 rollout is not counted.')
    expect(context).toContain('Predicted variance 0.214, realised 0.500.')
  })
})
