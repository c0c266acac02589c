import { describe, expect, it } from 'vitest'
import { taskSetOf } from '@/lib/testbed/task-set'
import { placebo, privateNames, withoutStructure } from '@/lib/testbed/task-set-views'
import { makeWorld } from '@/lib/testbed/worlds'

const set = taskSetOf(makeWorld('small', 4))
const keys = (tasks: { environment: string; key: string }[]) => tasks.map((task) => `${task.environment} ${task.key}`)

describe('views of a task set', () => {
  it('keep which task is which', () => {
    for (const view of [withoutStructure(set), placebo(set, 1), privateNames(set)]) {
      expect(keys(view.tasks)).toEqual(keys(set.tasks))
      expect(view.environments.map((environment) => environment.key)).toEqual(set.environments.map((e) => e.key))
    }
  })

  it('take everything away', () => {
    for (const task of withoutStructure(set).tasks) expect([...task.tools, ...task.state, ...task.checks]).toEqual([])
  })

  it('deal structure anew inside each environment, and lose none', () => {
    const dealt = placebo(set, 1)
    const chains = (environment: string, tasks: typeof set.tasks) =>
      tasks.filter((task) => task.environment === environment).map((task) => task.tools.join(' '))
    let moved = 0
    for (const { key } of set.environments) {
      expect(chains(key, dealt.tasks).sort()).toEqual(chains(key, set.tasks).sort())
      moved += chains(key, dealt.tasks).filter((chain, i) => chain !== chains(key, set.tasks)[i]).length
    }
    expect(moved).toBeGreaterThan(set.tasks.length / 2)
    expect(placebo(set, 1)).toEqual(dealt)
  })

  it('make names private to an environment, as many as before', () => {
    const view = privateNames(set)
    const owner = new Map<string, string>()
    for (const task of view.tasks)
      for (const name of [...task.tools, ...task.state, ...task.checks]) {
        expect(owner.get(name) ?? task.environment).toBe(task.environment)
        owner.set(name, task.environment)
      }
    for (const [i, environment] of view.environments.entries()) {
      expect(new Set(environment.tools.map((tool) => tool.name)).size).toBe(set.environments[i]!.tools.length)
      const known = new Set(environment.tools.map((tool) => tool.name))
      const used = view.tasks.filter((task) => task.environment === environment.key).flatMap((task) => task.tools)
      expect(used.every((name) => known.has(name))).toBe(true)
    }
  })
})
