import { beforeAll, describe, expect, test } from 'vitest'
import { type Told, told } from './told'

describe('verifiers and prime-rl episodes', () => {
  let all: Told
  beforeAll(async () => {
    all = await told('prime')
  })

  test('the reward is the weighted sum over trainable agents; failures have none; nothing scored is no zero', () => {
    expect(all.groups).toEqual([
      {
        of: 'shed | k-saw',
        model: 'policy',
        policyVersion: 1,
        rewards: [0.6, null, null, null],
        statuses: ['ok', 'infra_error', 'verifier_error', 'truncated'],
      },
      { of: 'duet | h-sing', model: 'policy', policyVersion: 2, rewards: [1], statuses: ['ok'] },
      {
        of: 'shed | k-saw',
        model: 'policy, evaluated',
        policyVersion: 3,
        rewards: [0.5, 0, null, null],
        statuses: ['truncated', 'truncated', 'infra_error', 'verifier_error'],
      },
    ])
  })

  test('parts are unweighted scores, with the agent where several are trained', () => {
    expect(all.rollouts[0]?.rewardComponents).toEqual([
      { name: 'found', value: 1 },
      { name: 'polite', value: 0.5 },
      { name: 'extra', value: null },
    ])
    expect(all.rollouts[4]?.rewardComponents?.map(({ name }) => name)).toEqual(['high: tune', 'low: tune'])
  })

  test('the conversation is the last branch; calls are those of the policy in all branches, never the judge’s', () => {
    const [first] = all.rollouts
    expect(first?.messages).toEqual([
      { role: 'user', content: 'Find the saw.' },
      {
        role: 'assistant',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{"where": "wall"}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'a saw' },
      { role: 'assistant', content: 'Found.' },
    ])
    expect([first?.tools, first?.turns, first?.tokens, first?.seconds]).toEqual([['look'], 3, 30, 2.5])
    expect(all.environment('shed')?.tools?.map(({ name }) => name)).toEqual(['look'])
  })

  test('an episode that is filed twice counts once', () => {
    expect(all.skipped).toEqual([
      'prime/rollouts/step_2/train/all/traces.jsonl: an episode whose task has neither key nor prompt @ 6',
      'prime/rollouts/step_2/train/effective/traces.jsonl: an episode that is there twice @ 1',
    ])
  })
})

describe('verifiers results', () => {
  let all: Told
  beforeAll(async () => {
    all = await told('verifiers')
  })

  test('zeros of a run that never began are no rewards; runs join where prompts are the same', () => {
    expect(all.groups.map(({ of, model, rewards, statuses }) => [of, model, rewards, statuses])).toEqual([
      ['pond | 0', 'tiny', [null], ['infra_error']],
      ['pond/koi | 0', 'tiny', [0], ['ok']],
      ['garden | 0', 'small-1', [8.38, -0.1], ['ok', 'truncated']],
      ['garden | 1', 'small-1', [1, null, 0], ['ok', 'infra_error', 'ok']],
      ['garden | 0 Cut the hedge. #', 'small-1', [0.5], ['ok']],
    ])
    expect(all.environment('garden')?.rewardRange).toEqual([-0.1, 8.38])
    const failed = all.rollouts.find(({ error }) => error?.includes('APIConnectionError') === true)
    expect(failed?.status).toBe('infra_error')
  })

  test('metrics nested and flat are parts, counts are not; calls that are JSON texts are read', () => {
    const watered = all.rollouts.find(({ reward }) => reward === 8.38)
    expect(watered?.rewardComponents).toEqual([
      { name: 'wet', value: 1 },
      { name: 'style', value: null },
    ])
    expect([watered?.tools, watered?.turns, watered?.tokens, watered?.seconds]).toEqual([['water'], 2, 20, 2])
    const cut = all.rollouts.find(({ reward }) => reward === 0.5)
    expect(cut?.rewardComponents).toEqual([{ name: 'cut_reward_func', value: 0.5 }])
    expect(all.environment('garden')?.tools).toEqual([
      { name: 'water', description: 'Waters a plant.', parameters: ['plant'] },
    ])
  })

  test('what is skipped is named', () => {
    expect(all.skipped).toHaveLength(2)
    expect(all.skipped[0]).toBe('verifiers/garden--small-1/11111111/results.jsonl: a row without an example_id @ 5')
    expect(all.skipped[1]).toContain('pond--tiny/44444444/results.jsonl: the whole file')
  })
})
