import { describe, expect, it } from 'vitest'
import { EXPLANATIONS, WORDS } from '@/lib/view/help-words'
import { EXAMPLE_STORY, pickStory, STORY_CELLS, storyTerms, tellingPick } from '@/lib/view/pick-story'
import { batchDetail, contribution, evidence, pick, prediction, terms } from '@/tests/support/view-fixtures'

const run = { id: 'r1', name: '8b' }
const shares = (own: number, within: number, cross: number) => ({ own, within, cross, prior: 0.01 })

describe('the pick that is told', () => {
  it('is the one with evidence of most kinds, chosen by its score', () => {
    const batch = batchDetail([
      pick(1, 'a', 'AIR', { prediction: prediction({ shares: shares(0, 0, 0), predictedVariance: 0.25 }) }),
      pick(2, 'b', 'AIR', { slot: 'uniform', prediction: prediction({ shares: shares(0.1, 0.1, 0.05) }) }),
      pick(3, 'c', 'AIR', { prediction: prediction({ shares: shares(0.05, -0.1, 0.05) }) }),
    ])
    expect(tellingPick(batch)?.task.key).toBe('c')
  })

  it('is null without picks and survives NaN', () => {
    expect(tellingPick(batchDetail([]))).toBeNull()
    const broken = pick(1, 'a', 'AIR', { prediction: prediction({ predictedVariance: Number.NaN }) })
    expect(tellingPick(batchDetail([broken]))?.task.key).toBe('a')
  })
})

describe('the story', () => {
  it('writes terms that sum to the written score, and others only where they are not 0', () => {
    const written = storyTerms(terms({ exploitation: 0.333, coverage: 0.333, quota: 0.333 }), 0.999)
    expect(written.reduce((sum, { value }) => sum + value, 0)).toBeCloseTo(1, 9)
    expect(written.map(({ name }) => name)).toEqual(['exploitation', 'coverage', 'quota', 'similarity', 'recency'])
    expect(storyTerms(terms({ cost: -0.1 }), -0.1).at(-1)).toEqual({ name: 'cost', value: -0.1 })
    expect(storyTerms(terms({ cost: -0.001 }), 0)).toHaveLength(5)
  })

  it('names its batch and task, shows own groups first and neighbours of both kinds', () => {
    const told = (marks: string): [number, string, number, number][] => (marks === '' ? [] : [[60, marks, 0.01, 4]])
    const own = contribution('own', 'own_task', 'AIR', 0.05, told('1010'))
    const within = [1, 2, 3, 4, 5, 6, 7].map((i) => contribution('within', `w${String(i)}`, 'AIR', 0.1 / i, told('11')))
    const cross = [
      contribution('cross', 'x1', 'RET', -0.03, told('00')),
      contribution('cross', 'x2', 'RET', 0.01, told('')),
    ]
    const chosen = pick(1, 'own_task', 'AIR')
    const story = pickStory(run, batchDetail([chosen]), chosen, evidence({ contributions: [...within, own, ...cross] }))
    expect(story.source).toEqual({ run: 'r1', runName: '8b', batch: 65, task: chosen.task.id })
    expect(story.groups[0]).toEqual({ key: 'own_task', outcomes: [1, 0, 1, 0] })
    expect(story.groups).toHaveLength(4)
    expect(story.neighbours.map(({ key }) => key)).toEqual(['w1', 'w2', 'w3', 'w4', 'x1', 'x2'])
  })

  it('holds without evidence, and rings the pick among at most 64 cells of a large batch', () => {
    const picks = Array.from({ length: 200 }, (_, i) => pick(i + 1, `t${String(i)}`, 'AIR'))
    const last = picks[149]
    if (last === undefined) throw new Error('no pick')
    const story = pickStory(run, batchDetail(picks), last, null)
    expect(story.groups).toEqual([])
    expect(story.picks.hues).toHaveLength(STORY_CELLS)
    expect(story.picks.size).toBe(200)
    expect(story.picks.at).toBe(63)
    const first = picks[0]
    if (first === undefined) throw new Error('no pick')
    expect(pickStory(run, batchDetail(picks), first, null).picks.at).toBe(0)
  })

  it('has example numbers that keep the same sums', () => {
    const sum = Object.values(EXAMPLE_STORY.shares).reduce((total, share) => total + share, 0)
    expect(sum).toBeCloseTo(EXAMPLE_STORY.predictedVariance, 9)
    expect(EXAMPLE_STORY.terms.reduce((total, { value }) => total + value, 0)).toBeCloseTo(EXAMPLE_STORY.score, 9)
    expect(EXAMPLE_STORY.source).toBeNull()
  })
})

describe('anchors of Help', () => {
  it('are used once, and are addresses', () => {
    const ids = [...WORDS, ...EXPLANATIONS].map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.every((id) => /^[a-z-]+$/.test(id))).toBe(true)
  })
})
