import { expect, test } from 'vitest'
import { fixture } from '../source-files'
import { outcome, sayGroup, sayParts, saySkips } from './outcome'

test('trials: exceptions are no zeros, who was never judged ran out of turns, a model is one over its files', async () => {
  const { source, set, groups, rollouts } = await outcome(fixture('tau-bench'))
  expect(source.format).toBe('tau-bench results')
  expect(groups.map(sayGroup)).toEqual([
    '0 bakery/0: 1 ok, 0 ok, 0 truncated, null infra_error',
    '0 bakery/1: 0.84 ok',
    '0 post_office/0: 1 ok',
  ])
  expect(source.ladder).toEqual([{ model: 'tool-calling-baker-1-0.0', policyVersion: 0, meanReward: 0.568, groups: 3 }])
  expect(rollouts.map(({ rewardComponents }) => sayParts(rewardComponents))).toEqual([
    'end state 1',
    'end state 0',
    '',
    '',
    'outputs 1, base 1, steps 16, why null',
    'end state 1',
  ])
  expect(rollouts.find(({ status }) => status === 'infra_error')).toMatchObject({ error: 'litellm.Timeout', turns: 0 })
  expect(set?.tasks.find(({ environment, key }) => environment === 'bakery' && key === '1')).toMatchObject({
    text: 'Return 1.',
    tools: ['take_back'],
    checks: ['end state', 'outputs'],
  })
  expect(saySkips(source)).toEqual([])
})
