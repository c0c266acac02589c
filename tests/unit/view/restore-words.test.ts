import { describe, expect, it } from 'vitest'
import type { RestorePoint } from '@/lib/contract/state'
import {
  beganAt,
  beganSentence,
  brokenAt,
  leftBehindBy,
  restoreMark,
  restoreSentence,
  supersededWords,
} from '@/lib/view/restore-words'

const point = (epoch: number, from: number, to: number, source: RestorePoint['source'] = null): RestorePoint => ({
  epoch,
  at: '2026-11-29T10:00:00.000Z',
  author: 'mira',
  from,
  to,
  source,
})
const restores = [point(2, 60, 40), point(3, 75, 20)]

describe('restores in words', () => {
  it('names the restore that left a batch behind, the first one that did', () => {
    expect(supersededWords(restores, 41)).toBe('superseded by a restore at batch 60')
    expect(supersededWords(restores, 60)).toBe('superseded by a restore at batch 60')
    expect(supersededWords(restores, 40)).toBe('superseded by a restore at batch 75')
    expect(supersededWords(restores, 61)).toBe('superseded by a restore at batch 75')
    expect(leftBehindBy(restores, 20)).toBeNull()
    expect(supersededWords(restores, null)).toBe('superseded by a restore')
    expect(supersededWords([], 3)).toBe('superseded by a restore')
  })

  it('tells where a run went, to its start and to the history of another run', () => {
    expect(restoreSentence(point(2, 60, 40))).toBe('Went back from batch 60 to batch 40')
    expect(restoreSentence(point(2, 60, 0))).toBe('Went back from batch 60 to the start')
    expect(restoreSentence(point(2, 0, 0, { run: 'r', name: 'first', batch: 12 }))).toBe(
      'Began with the history of "first" up to batch 12',
    )
  })

  it('tells what became of the tasks where a run began with the history of another one', () => {
    const began = point(2, 0, 0, { run: 'r', name: 'first', batch: 7 })
    const tasks = { same: 39, changed: 3, added: 1, removed: 3 }
    const sentence = 'Began with the history of "first" up to batch 7: 39 tasks the same, 3 changed, 1 new, 3 gone.'
    expect(beganSentence([{ ...began, tasks }])?.replaceAll('\u00a0', ' ')).toBe(sentence)
    expect(beganSentence([began, ...restores])).toBe('Began with the history of "first" up to batch 7.')
    expect(beganSentence(restores)).toBeNull()
    expect(beganAt([{ ...began, tasks }], 1)).not.toBeNull()
    expect(beganAt([{ ...began, tasks }], 2)).toBeNull()
  })

  it('marks the first batch after the newest restore, and nothing before there is one', () => {
    expect(restoreMark(restores, [18, 19, 20, 76, 77])).toEqual({ x: 76, figure: 'restored to 20' })
    expect(restoreMark(restores, [18, 19, 20])).toBeNull()
    expect(restoreMark([], [1, 2])).toBeNull()
  })

  it('breaks a line where batches were left behind, and nowhere else', () => {
    const points = [1, 2, 9].map((batch) => ({
      batch,
      policyVersion: batch,
      informativeShare: 0,
      informativeMean: 0.5,
      uniformMean: 0,
      uniformLow: 0,
      uniformHigh: 1,
      rewardChosen: 0,
      rewardWhole: 0,
    }))
    const broken = brokenAt(points, { x: 9 })
    expect(broken.map(({ batch, informativeMean }) => [batch, informativeMean])).toEqual([
      [1, 0.5],
      [2, 0.5],
      [3, null],
      [9, 0.5],
    ])
    expect(brokenAt(points, null)).toEqual(points)
    expect(brokenAt(points, { x: 2 })).toEqual(points)
    expect(brokenAt([], { x: 2 })).toEqual([])
  })
})
