import { describe, expect, it } from 'vitest'
import { ownWindow } from '@/lib/view/batch-quota'
import { windowSince } from '@/lib/view/steering-quota'
import { override, steering } from '@/tests/support/view-fixtures'

describe('a window that a changed quota started anew', () => {
  it('is said where it is shorter than the others', () => {
    expect(ownWindow(288, 288, 1)).toBeNull()
    expect(ownWindow(32, 288, 14)).toBe('of 32 picks since batch 14')
    expect(ownWindow(0, 288, 15)).toBe('counted anew from batch 15')
  })

  it('counts from the newest change of that environment, its undo included', () => {
    const environment = steering().quotas[0]?.environment ?? null
    const id = environment?.id ?? ''
    const set = override({ id: 'o1', kind: 'quota', environment, from: 9, undoneBy: 'o2' })
    const undo = override({ id: 'o2', kind: 'lift', environment: null, from: 14 })
    expect(windowSince(steering({ history: [undo, set] }), id)).toBe(14)
    expect(windowSince(steering({ history: [{ ...set, undoneBy: null }] }), id)).toBe(9)
    expect(windowSince(steering({ history: [undo, set] }), 'another')).toBe(1)
  })
})
