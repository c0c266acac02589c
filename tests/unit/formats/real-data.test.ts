import { describe, expect, test } from 'vitest'
import { rolloutInput } from '@/lib/contract/rollout'
import { taskSetInput } from '@/lib/contract/task-set'
import { readFiles } from '@/lib/formats/read-files'
import { dataMissing, shared } from './source-files'

describe.skipIf(dataMissing)('real files', () => {
  test.each([
    ['tasksets/bfcl', 'BFCL task set', 10, 1200],
    ['tasksets/acebench', 'ACEBench task set', 4, 273],
    ['tasksets/tau2', 'tau2-bench task set', 4, 271],
  ])('%s', async (folder, format, environments, tasks) => {
    const source = await readFiles(shared(folder))
    const set = taskSetInput.parse(source.taskSet)
    expect([source.format, set.environments.length, set.tasks.length]).toEqual([format, environments, tasks])
    expect(source.skipped.flatMap((skip) => (skip.lines.length > 0 ? [skip.reason] : []))).toEqual([])
    const tools = new Map(set.environments.map(({ key, tools: own }) => [key, new Set(own?.map((tool) => tool.name))]))
    for (const task of set.tasks)
      for (const tool of task.tools ?? []) expect(tools.get(task.environment)?.has(tool)).toBe(true)
  })

  test('a task of several classes lies in the first one and may use the functions of all', async () => {
    const { taskSet } = await readFiles(shared('tasksets/bfcl'))
    const classes = ['TwitterAPI', 'GorillaFileSystem', 'TicketAPI', 'MessageAPI', 'VehicleControlAPI', 'TradingBot']
    const keys = taskSet?.environments.map((environment) => environment.key) ?? []
    for (const owner of [...classes, 'TravelAPI', 'MathAPI']) expect(keys).toContain(owner)
    const twitter = taskSet?.environments.find((environment) => environment.key === 'TwitterAPI')
    const described = twitter?.tools?.filter((tool) => tool.description !== undefined).map((tool) => tool.name) ?? []
    expect(described).toEqual(expect.arrayContaining(['post_tweet', 'cd', 'startEngine']))
    const first = taskSet?.tasks.find((task) => task.key === 'multi_turn_base_0')
    expect(first?.tools?.slice(0, 4)).toEqual(['cd', 'mkdir', 'mv', 'cd'])
  })

  test('tau-bench results: groups of trials, conversations kept', async () => {
    const source = await readFiles(shared('native/tau-bench'))
    const groups = [...source.groups]
    expect([source.rollouts, groups.length, source.skipped.length]).toEqual([60, 30, 0])
    expect(source.taskSet?.environments.map((environment) => environment.key)).toEqual(['airline', 'retail'])
    expect(groups.filter((group) => group.rollouts.length === 4)).toHaveLength(10)
    for (const group of groups) for (const rollout of group.rollouts) rolloutInput.parse(rollout)
    expect(groups[0]?.rollouts[0]?.messages?.length).toBeGreaterThan(5)
  })

  test.each([
    ['tau-bench', 200, 50, 0],
    ['tau2-bench', 1292, 1226, 0],
    ['nemo-gym', 670, 627, 0],
    ['mint-bench', 181935, 55725, 0],
    ['reasoning-gym', 221350, 110450, 0],
  ])('rollouts of %s', async (name, rollouts, groups, skipped) => {
    const source = await readFiles(shared(`rollouts/${name}.jsonl.gz`))
    taskSetInput.parse(source.taskSet)
    let counted = 0
    let previous = 0
    for (const group of source.groups) {
      counted += 1
      expect(group.policyVersion).toBeGreaterThanOrEqual(previous)
      previous = group.policyVersion
    }
    expect([source.rollouts, counted, source.skipped.length]).toEqual([rollouts, groups, skipped])
  })
})
