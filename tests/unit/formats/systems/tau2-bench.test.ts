import { expect, test } from 'vitest'
import { fixture } from '../source-files'
import { outcome, sayGroup, sayParts, saySkips } from './outcome'

const LONG = '[mobile_data_issue]data_saver_mode_on|user_abroad[PERSONA:Easy]'

test('one file: ends outside the policy have no reward, what the user calls is no tool, tasks come along', async () => {
  const { source, set, groups, rollouts } = await outcome(fixture('tau2/one-file'))
  expect(source.format).toBe('tau2-bench results')
  expect(groups.map(sayGroup)).toEqual([
    `0 telecom/${LONG}: 1 ok, 0 ok, null infra_error`,
    '0 telecom/7: 0 truncated, 0 ok, null infra_error, null ok',
  ])
  expect(groups[0]?.model).toBe('baker-1')
  expect(sayParts(rollouts[0]?.rewardComponents)).toBe(
    'ENV_ASSERTION 1, DB 1, assert_data 0, action toggle_data 1, Is kind. 1, says 42 0',
  )
  expect(rollouts[0]).toMatchObject({ tools: ['get_line'], turns: 2, seconds: 2.5 })
  expect(rollouts[0]?.messages?.slice(2, 6)).toEqual([
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'get_line', arguments: '{"line_id":"L1"}' } }],
    },
    { role: 'tool', content: '{}', tool_call_id: 'c1' },
    {
      role: 'user',
      content: null,
      tool_calls: [
        { id: 'u1', type: 'function', function: { name: 'toggle_data', arguments: '{}' }, requestor: 'user' },
      ],
    },
    { role: 'tool', content: 'no such switch', tool_call_id: 'u1', requestor: 'user', is_error: true },
  ])
  expect(rollouts[2]?.error).toBe('infrastructure_error: RateLimitError')
  expect(set?.environments[0]).toMatchObject({
    key: 'telecom',
    tools: [
      { name: 'get_line', description: 'Gets a line.', parameters: ['line_id'] },
      { name: 'refuel', parameters: ['line_id', 'gb'] },
    ],
    state: ['turn_off', 'line'],
  })
  expect(set?.tasks[0]).toMatchObject({ key: LONG, tools: ['refuel'], checks: ['ENV_ASSERTION', 'assert_data'] })
  expect(saySkips(source)).toEqual(['one-file/telecom_run.json: a simulation that stands twice [8]'])
})

test('a folder: a file a simulation, rewards from the index, one that only the index knows, speech in ticks', async () => {
  const { source, groups, rollouts } = await outcome(fixture('tau2/folder'))
  expect(groups.map((group) => `${group.model} ${sayGroup(group)}`)).toEqual([
    'baker-2 (voice_agent) 0 retail/40: 1 ok, 0 ok',
  ])
  expect(rollouts[0]).toMatchObject({ tools: ['find_order'], seconds: 3 })
  expect(rollouts[0]?.messages?.map(({ role, content }) => [role, content])).toEqual([
    ['assistant', 'Good day.'],
    ['assistant', null],
    ['tool', '{}'],
    ['user', 'Hello.'],
    ['user', null],
  ])
  expect(rollouts[1]?.messages ?? null).toBeNull()
  expect(saySkips(source)).toEqual([])
})

test('a bare list without task ids: the domain by the name, the task by what its user said', async () => {
  const { source, groups } = await outcome(fixture('tau2/bare'))
  expect(groups).toHaveLength(1)
  expect(sayGroup(groups[0] ?? { model: '', policyVersion: 0, rollouts: [] })).toMatch(
    /^0 airline\/No data\. #[0-9a-f]{12}: 1 ok, 1 ok$/,
  )
  expect(saySkips(source)).toEqual([
    'bare/baker-3_airline_cli.json: a simulation without a task_id or a word of its user [3]',
    'bare/submission.json: the whole file: it holds pass rates, no simulations',
  ])
})
