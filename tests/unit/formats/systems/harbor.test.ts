import { expect, test } from 'vitest'
import { fixture } from '../source-files'
import { outcome, sayGroup, sayParts, saySkips } from './outcome'

test('a job: trials with their trajectories; exceptions are no zeros, a time-out of the agent keeps its reward', async () => {
  const { source, set, groups, rollouts } = await outcome(fixture('harbor/job'))
  expect(source.format).toBe('Harbor trial')
  expect(groups.map(sayGroup)).toEqual([
    '0 bread-bench/oat: 0.75 truncated, null ok, null verifier_error',
    '0 bread-bench/rye: 1 ok, 0 ok, null infra_error',
  ])
  expect(groups[0]?.model).toBe('terminus baker-1')
  expect(sayParts(rollouts[0]?.rewardComponents)).toBe('crust 1, crumb 0.5')
  expect(rollouts.map(({ error }) => error)).toEqual([
    'AgentTimeoutError: after 600 s',
    null,
    'VerifierTimeoutError: slow',
    null,
    null,
    'DaytonaError: no room',
  ])
  const told = rollouts[3]
  expect(told).toMatchObject({ tools: ['bash', 'bash', 'mark_done'], tokens: 12, seconds: 150, turns: 3 })
  expect(told?.messages?.map(({ role, content }) => [role, content])).toEqual([
    ['system', 'Be brief.'],
    ['user', 'Bake a rye bread.'],
    ['assistant', ''],
    ['tool', 'warm'],
    ['tool', 'baked'],
    ['assistant', 'Done.'],
    ['tool', ''],
    ['assistant', 'I look again.'],
  ])
  expect(told?.messages?.[2]).toMatchObject({
    reasoning_content: 'The oven first.',
    tool_calls: [{ id: 'k1' }, { id: 'k2' }],
  })
  expect(told?.messages?.[6]?.tool_call_id).toBe('k3')
  expect(set?.environments[0]?.tools).toEqual([
    { name: 'bash', description: 'Runs a command.', parameters: ['command'] },
    { name: 'mark_done', parameters: [] },
  ])
  expect(set?.tasks.find(({ key }) => key === 'rye')).toMatchObject({ text: 'Bake a rye bread.', checks: ['reward'] })
  expect(saySkips(source)).toEqual([
    'job/lost__a/agent/trajectory.json: a trajectory without a result.json that tells its reward [1]',
    'job/oat__d/result.json: a trial without a task_name [1]',
    'job/result.json: the whole file: it sums up a job whose trials have files of their own',
    'job/rye__a/agent/trajectory.summary-1.json: the trajectory of a helper agent [1]',
    'job/rye__a/config.json: the whole file: its form is not known',
  ])
})

test('a job that holds its trials; a part called score is the reward', async () => {
  const { groups, rollouts } = await outcome(fixture('harbor/one-file'))
  expect(groups.map(sayGroup)).toEqual(['0 bread-bench/rye: 1 ok, 0.5 ok'])
  expect(sayParts(rollouts[1]?.rewardComponents)).toBe('score 0.5, length 9')
})
