import { expect, test } from 'vitest'
import { told } from './told'

test('rLLM episodes: a missing reward falls back to whether it was right; a failed one has none', async () => {
  const all = await told('rllm/episodes')
  expect(all.groups).toEqual([
    {
      of: 'house | aaaa',
      model: 'policy',
      policyVersion: 7,
      rewards: [0.8, 0, 1, null],
      statuses: ['ok', 'truncated', 'ok', 'infra_error'],
    },
    { of: 'rllm | Where is the cat? #', model: 'policy, validated', policyVersion: 8, rewards: [1], statuses: ['ok'] },
  ])
  expect(all.rollouts.map(({ turns, tools }) => [turns, tools])).toEqual([
    [2, ['open']],
    [1, []],
    [2, []],
    [0, []],
    [0, []],
  ])
  expect(all.rollouts[2]?.rewardComponents).toEqual([
    { name: 'seeker', value: 0.25 },
    { name: 'judge', value: null },
  ])
  expect(all.rollouts[1]?.messages?.map(({ content }) => content)).toEqual(['dark', 'I leave.'])
  expect(all.rollouts[3]?.error).toBe('error: socket closed')
  expect(all.skipped).toHaveLength(1)
  expect(all.skipped[0]).toContain('batch_summary.json: the whole file: it holds the sums of a batch')
})

test('rLLM evaluations: items inside their object, attempts are trials', async () => {
  const all = await told('rllm/evaluation.json')
  expect(all.groups.map(({ of, model, rewards, statuses }) => [of, model, rewards, statuses])).toEqual([
    ['house | 0', 'seeker-1', [1, 0], ['ok', 'truncated']],
    ['house | attic', 'seeker-1', [null, null], ['infra_error', 'verifier_error']],
  ])
  expect(all.rollouts[0]?.rewardComponents).toEqual([{ name: 'steps', value: 3 }])
  expect(all.skipped).toEqual(['evaluation.json: an item without an idx @ 5'])
})
