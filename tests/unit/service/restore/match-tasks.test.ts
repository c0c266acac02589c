import { describe, expect, it } from 'vitest'
import { matchTasks, type NamedTask } from '@/lib/service/restore/match-tasks'

const task = (environment: string, key: string, content = key): NamedTask => ({ environment, key, content })

describe('tasks of one set in another', () => {
  it('finds them by their keys, whatever their places, and tells what changed', () => {
    const before = [task('a', '1'), task('a', '2'), task('b', '1')]
    const after = [task('new', 'x'), task('b', '1'), task('a', '2', 'other'), task('a', '1')]
    const { to, difference } = matchTasks(before, after)
    expect(to).toEqual([3, 2, 1])
    expect(difference).toEqual({
      same: 2,
      changed: 1,
      added: 1,
      removed: 0,
      examples: { changed: [{ environment: 'a', task: '2' }], added: [{ environment: 'new', task: 'x' }], removed: [] },
    })
  })

  it('finds a renamed task by its content, once, and only in its environment', () => {
    const before = [task('a', 'old', 'text'), task('a', 'twin', 'text'), task('b', 'gone', 'text')]
    const after = [task('a', 'new', 'text')]
    const { to, difference } = matchTasks(before, after)
    expect(to).toEqual([0, null, null])
    expect([difference.same, difference.removed, difference.added]).toEqual([1, 2, 0])
  })

  it('gives five examples at most, and nothing for empty sets', () => {
    const many = Array.from({ length: 9 }, (_, i) => task('a', String(i)))
    expect(matchTasks(many, []).difference).toMatchObject({ removed: 9, same: 0 })
    expect(matchTasks(many, []).difference.examples.removed).toHaveLength(5)
    expect(matchTasks([], [])).toMatchObject({ to: [], difference: { same: 0, added: 0 } })
  })
})
