import { expect, test } from 'vitest'
import { fixture } from '../source-files'
import { outcome, sayGroup, sayParts, saySkips } from './outcome'

test('results, scores and processes of two languages find each other and their tasks', async () => {
  const { source, set, groups, rollouts } = await outcome(fixture('acebench-results'))
  expect(groups.map(sayGroup).sort()).toEqual([
    '0 Oven (zh)/agent_multi_step_0: 1 ok',
    '0 Oven/agent_multi_step_0: 1 ok',
    '0 Oven/agent_multi_step_1: 0 ok',
    '0 Oven/agent_multi_step_2: 0 ok',
    '0 Oven/agent_multi_step_3: 0 ok',
    '0 normal_single_turn_single_function/normal_single_turn_single_function_0: 1 ok',
  ])
  const by = (environment: string) =>
    rollouts.filter((rollout) => rollout.environment === environment).map((one) => sayParts(one.rewardComponents))
  expect(by('Oven')).toEqual([
    'end state 1, process 1',
    'end state 0, process 0.5',
    'end state 0, process 1',
    'end state 0, process 0',
  ])
  expect(by('Oven (zh)')).toEqual(['end state 1, process 1'])
  expect(by('normal_single_turn_single_function')).toEqual(['calls 1'])
  const second = rollouts.find(({ environment, task }) => environment === 'Oven' && task === 'agent_multi_step_1')
  expect(second).toMatchObject({ tools: ['warm'], turns: 1, error: 'class attributes wrong: heat differs' })
  expect(second?.messages).toEqual([
    { role: 'user', content: 'I am Ida. Bake a bread.' },
    { role: 'assistant', content: '[warm()]' },
  ])
  expect(set?.environments.map(({ key }) => key)).toEqual(['Oven', 'normal_single_turn_single_function', 'Oven (zh)'])
  expect(saySkips(source)).toEqual([])
})

test('the task set: what is compared at the end, and the first of several ways', async () => {
  const { set } = await outcome(fixture('acebench-results/data_all'))
  expect(set?.tasks).toHaveLength(9)
  const [oven] = set?.environments ?? []
  expect(oven).toMatchObject({
    key: 'Oven',
    state: ['Oven.heat', 'PostApi.inbox'],
    verifier: { kind: 'end state+milestones', checks: ['end state', 'milestones', 'Oven state', 'PostApi state'] },
  })
  const of = (key: string) => set?.tasks.find((task) => task.key === key)?.tools
  expect(of('agent_multi_step_0')).toEqual(['warm', 'bake'])
  expect(of('agent_multi_step_1')).toEqual(['warm', 'send'])
  expect(of('normal_single_turn_single_function_0')).toEqual(['send'])
  const chinese = set?.tasks.find(({ environment }) => environment === 'Oven (zh)')
  expect(chinese).toMatchObject({ key: 'agent_multi_step_0', text: '我是艾达。请烤面包。', tools: ['warm', 'bake'] })
})

test('without processes a failure tells only its end state', async () => {
  const files = fixture('acebench-results').filter(
    ({ name }) => !name.includes('process') && !name.includes('data_all/'),
  )
  const { rollouts } = await outcome(files)
  const failed = rollouts.filter(({ reward }) => reward === 0)
  expect(failed.map(({ rewardComponents }) => sayParts(rewardComponents))).toEqual(
    Array.from(failed, () => 'end state 0'),
  )
  expect(failed).toHaveLength(3)
})
