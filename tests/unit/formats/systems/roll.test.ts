import { expect, test } from 'vitest'
import { fixture } from '../source-files'
import { outcome, sayGroup, sayParts, saySkips } from './outcome'

test('RLVR: columns of a step, texts that hold JSON, tasks without an id by their prompt', async () => {
  const { source, set, groups, rollouts } = await outcome(fixture('roll/math'))
  expect(source.format).toBe('ROLL rollout dump')
  const [, bread] = groups
  const key = bread?.rollouts[0]?.task ?? ''
  expect(key).toMatch(/^.*Name a bread\. #[0-9a-f]{12}$/)
  expect(groups.map(sayGroup)).toEqual([
    '7 math_rule/m1: 1 ok, 0 ok',
    `7 trivia/${key}: 0.5 ok, NaN ok`,
    '7 math_rule/m2: null ok',
    '7 code_sandbox/c1: 0.75 ok',
  ])
  expect(rollouts[0]?.messages).toEqual([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: '2+2?' },
    { role: 'assistant', content: '4' },
  ])
  expect(set?.tasks[0]).toMatchObject({ text: 'system: Be brief.\nuser: 2+2?', payload: { ground_truth: '4' } })
  expect(source.untrusted).toEqual({ reward_invalid: 1, reward_missing: 1 })
  expect(saySkips(source)).toEqual([])
  expect(source.tally).toMatchObject({ rows: 6, kept: 6 })
})

test('agentic: seeds are tasks, failures outside the policy have no reward, a trajectory counts once', async () => {
  const { source, set, groups, rollouts } = await outcome(fixture('roll/agent'))
  expect(groups.map(sayGroup)).toEqual([
    '3 sokoban/seed 42: 1 ok, 0 ok, null infra_error',
    '3 sokoban/box-4: -0.5 truncated, null verifier_error',
    '4 sokoban/seed 42: 0.25 truncated',
  ])
  expect(groups.map(({ model }) => model)).toEqual(['run-a', 'run-a', 'model'])
  expect(rollouts[0]).toMatchObject({ tools: ['push'], turns: 2, tokens: 40, seconds: 12.5 })
  expect(rollouts.map(({ rewardComponents }) => sayParts(rewardComponents))).toEqual([
    'success 1',
    'success 0',
    'success 0',
    'success 0',
    'success 0',
    'success 1',
  ])
  expect(rollouts[2]?.error).toBe('sandbox_start_failed\nFINISH\nno room left')
  expect(set?.environments[0]).toMatchObject({ key: 'sokoban', rewardRange: [-0.5, 1] })
  expect(set?.environments[0]?.tools).toEqual([
    { name: 'push', description: 'Pushes.', parameters: ['way'] },
    { name: 'look', description: 'Looks.', parameters: [] },
  ])
  expect(set?.tasks[0]?.text).toBe('Push the box.')
  expect(saySkips(source)).toEqual([
    'agent/rollout_dump_data.step_3.jsonl: a step or placeholder without its trajectory [1, 7]',
    'agent/trajectory_t1.json: a trajectory that stands in another file too [1]',
  ])
})
