import { expect, test } from 'vitest'
import { told } from './told'

test('SkyRL evaluation dumps: scores by token are summed, an empty list is none, sums of an evaluation stay out', async () => {
  const all = await told('skyrl')
  expect(all.groups.map(({ of, policyVersion, rewards, statuses }) => [of, policyVersion, rewards, statuses])).toEqual([
    ['sums | 1 + 1? #', 40, [1, 0.5], ['ok', 'truncated']],
    ['sums | 2 + 2? #', 40, [null, 'NaN'], ['ok', 'ok']],
    ['openai/sums | 2 + 2? #', 40, [null], ['infra_error']],
  ])
  expect(all.rollouts[1]?.tools).toEqual(['add'])
  expect(all.skipped).toEqual([
    'skyrl/global_step_40_evals/aggregated_results.jsonl: the whole file: it holds the sums of an evaluation, no rollouts @',
    'skyrl/global_step_40_evals/openai_sums.jsonl: a row without an input_prompt @ 6',
  ])
})
