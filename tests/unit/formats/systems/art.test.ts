import { expect, test } from 'vitest'
import { fixture } from '../source-files'
import { outcome, sayGroup, sayParts, saySkips } from './outcome'

const lines = () => fixture('art').filter(({ name }) => name.endsWith('.jsonl'))

test('a group a line: choices are messages, tasks come from metadata or the prompt, steps from the name', async () => {
  const { source, set, groups, rollouts } = await outcome(lines())
  expect(source.format).toBe('ART trajectory groups')
  const rye = set?.tasks[0]?.key ?? ''
  expect(rye).toMatch(/^Bake rye\. #/)
  expect(groups.map(sayGroup)).toEqual([`12 bakery/${rye}: 1 ok, 0 truncated`, '12 cakes/s-9: 0.5 ok, NaN ok'])
  expect(groups[0]?.model).toBe('baker-1')
  expect(rollouts[0]?.messages?.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'assistant'])
  expect(rollouts.map(({ tools }) => tools)).toEqual([['bake'], [], ['remind'], []])
  expect(sayParts(rollouts[0]?.rewardComponents)).toBe('tidy 1, cost 0.25')
  expect(set?.environments[0]?.tools).toEqual([{ name: 'bake', description: 'Bakes.', parameters: ['what'] }])
  expect(saySkips(source)).toEqual([
    'art/bakery/models/baker-1/trajectories/train/0012.jsonl: a group without trajectories [3]',
    'art/bakery/models/baker-1/trajectories/train/0012.jsonl: a trajectory without messages [1]',
  ])
  expect(source.tally).toMatchObject({ rows: 3, kept: 2 })
})

test('a YAML list of groups stands for an older step beside it', async () => {
  const { source, groups } = await outcome(fixture('art'))
  const [first, second] = groups
  expect([first, second].map((group) => group?.policyVersion)).toEqual([2, 2])
  expect(first?.rollouts.map(({ reward }) => reward)).toEqual([0, 1])
  expect(second?.rollouts.map(({ reward }) => reward)).toEqual(['NaN'])
  expect(first?.rollouts[0]?.task).toBe(groups[2]?.rollouts[0]?.task)
  expect(source.rollouts).toBe(7)
})
