import { describe, expect, it } from 'vitest'
import type { EffectMeasure, OverrideEffect } from '@/lib/contract/override-effect'
import {
  appliedRows,
  differenceInWords,
  effectLimits,
  effectRows,
  effectTwin,
  effectVerdict,
  isShown,
} from '@/lib/view/override-effect-words'
import { override } from '@/tests/support/view-fixtures'

const side = (value: number, half = 0.05) => ({ value, low: value - half, high: value + half, groups: 40 })
const measure = (before: number, after: number, half = 0.05): EffectMeasure => ({
  before: side(before, half),
  after: side(after, half),
  difference: { value: after - before, low: after - before - half, high: after - before + half },
})
const nothing: EffectMeasure = { before: null, after: null, difference: null }

function effect(parts: Partial<OverrideEffect> = {}): OverrideEffect {
  return {
    override: override({ letter: 'C', from: 66 }),
    asked: 10,
    before: { from: 56, to: 65, batches: 10 },
    after: { from: 66, to: 75, batches: 10 },
    cut: null,
    environment: null,
    measures: {
      informativeShare: measure(0.52, 0.613),
      uniformShare: measure(0.4, 0.41),
      picksShare: null,
      predictedVariance: measure(0.12, 0.13),
      rewardWhole: measure(0.3, 0.3),
    },
    series: [],
    overlapping: [],
    requested: '0.80',
    effective: '0.80',
    applied: { batch: 66, value: '0.80', detail: null },
    ...parts,
  }
}

describe('before and after in words', () => {
  it('says the difference, and when it may be nothing', () => {
    const { answer, context } = effectVerdict(effect())
    expect(answer).toBe('Informative share 52.0\u00a0% before and 61.3\u00a0% after C: +9.3 points.')
    expect(context).toBe('Batches 56 to 65 against batches 66 to 75. 95\u00a0% interval +4.3 to +14.3 points.')
    const unsure = effect({ measures: { ...effect().measures, informativeShare: measure(0.52, 0.53) } })
    expect(effectVerdict(unsure).answer).toContain('+1.0 points, which may be nothing')
  })

  it('puts the picks of a touched environment first', () => {
    const environment = { id: 'e1', key: 'travel', name: 'Travel', code: 'TRV', hue: 1 }
    const touched = effect({ environment, measures: { ...effect().measures, picksShare: measure(0.17, 0.09) } })
    expect(effectRows(touched).map(({ key }) => key)[0]).toBe('picksShare')
    expect(effectVerdict(touched).answer).toContain(
      'Picks of TRV 17.0\u00a0% before and 9.0\u00a0% after C: \u22128.0 points',
    )
    expect(effectRows(effect())).toHaveLength(4)
  })

  it('says what is not there yet, never 0 for it', () => {
    expect(effectVerdict(effect({ after: null, cut: 'newest' })).answer).toContain('Not yet: batch 66')
    expect(effectVerdict(effect({ after: null, cut: 'ended' })).answer).toContain('held for no batch')
    expect(effectVerdict(effect({ before: null })).answer).toContain('nothing before it')
    const empty = effect({ measures: { ...effect().measures, informativeShare: nothing } })
    expect(effectVerdict(empty).answer).toContain('No trusted group is back on both sides')
    expect(differenceInWords('share', nothing)).toBe('not yet')
    expect(isShown(nothing)).toBe(false)
    expect(isShown({ ...nothing, difference: { value: 0, low: 0, high: 0 } })).toBe(false)
    expect(differenceInWords('share', measure(0.2, 0.2))).toBe('0.0 points')
  })

  it('names what it cannot show: the policy, few batches, other overrides', () => {
    const plain = effectLimits(effect())
    expect(plain[0]).toContain('not what the change did')
    expect(plain[1]).toContain('moved +1.0 points, which may be nothing: that is the policy')
    expect(plain.at(-1)).toBe('No other override began or ended in these batches.')
    const busy = effectLimits(
      effect({
        after: { from: 66, to: 68, batches: 3 },
        cut: 'replaced',
        overlapping: [
          { id: 'o4', letter: 'D', sentence: 'TRV paused, hold', author: 'jonas', batch: 67, how: 'began' },
        ],
      }),
    )
    expect(busy).toContain('Only 3 batches after it since a later change took over its setting: intervals are wide.')
    expect(busy.at(-1)).toContain('D began at batch 67 (TRV paused, hold, by jonas)')
  })

  it('tells requested, in force and applied apart', () => {
    const rows = appliedRows(effect({ effective: '1.20', applied: null }))
    expect(rows.map(({ value }) => value)).toEqual(['0.80', '1.20', 'not yet'])
    expect(rows[2]?.said).toBe('batch 66 is not issued')
    expect(effectTwin(effect()).rows).toHaveLength(12)
  })
})
