import { beforeAll, describe, expect, test } from 'vitest'
import { type Told, told } from './told'

describe('NeMo-Gym', () => {
  let all: Told
  beforeAll(async () => {
    all = await told('nemo-gym')
  })

  test('failures beside the rollouts and masked rows have no reward; a row without one keeps none', () => {
    expect(all.groups.map(({ of, model, rewards, statuses }) => [of, model, rewards, statuses])).toEqual([
      ['blocks_agent | 0', 'big-2', [19.4, -100, null, null], ['ok', 'truncated', 'infra_error', 'verifier_error']],
      [
        'blocks_agent | Stack three blocks. #',
        'big-2',
        [null, null, null, 1],
        ['ok', 'verifier_error', 'infra_error', 'ok'],
      ],
      ['workshop | Saw a plank. #', 'big-2', [0.5], ['ok']],
    ])
    expect(all.environment('blocks_agent')?.rewardRange).toEqual([-100, 19.4])
    expect(all.read.untrusted).toEqual({ status: 4, reward_missing: 1 })
  })

  test('items become messages: what the model thought, called and said is one, up to the next output', () => {
    const [first] = all.rollouts
    expect(first?.messages).toEqual([
      { role: 'system', content: 'Stack.' },
      { role: 'user', content: 'Stack two blocks.' },
      {
        role: 'assistant',
        content: null,
        reasoning_content: 'Lift first.',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'lift', arguments: '{"block": 1}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'lifted' },
      { role: 'assistant', content: 'Stacked.' },
    ])
    expect([first?.tools, first?.turns, first?.tokens]).toEqual([['lift'], 2, 15])
    expect(first?.rewardComponents).toEqual([
      { name: 'height', value: 1 },
      { name: 'speed', value: 0.5 },
    ])
    expect(all.environment('blocks_agent')?.tools).toEqual([
      { name: 'lift', description: 'Lifts a block.', parameters: ['block'] },
    ])
  })

  test('files of inputs are tasks, side files stay out, the folder names the environment', () => {
    expect(all.tasks.slice(0, 2)).toEqual(['workshop | Saw a plank. #', 'workshop | Sand a plank. #'])
    expect(all.skipped).toEqual([
      'nemo-gym/blocks.rollouts.jsonl: a row with neither a task index nor a prompt @ 7',
      'nemo-gym/blocks.rollouts.jsonl: it is not JSON @ 2',
      'nemo-gym/blocks_materialized_inputs.jsonl: the whole file: it holds the inputs of a collection, which its rollouts repeat @',
      'nemo-gym/blocks_reward_profiling.jsonl: the whole file: it holds sums of rewards, no rollouts @',
      'nemo-gym/workshop/data/train.jsonl: a task that is there twice @ 3',
      'nemo-gym/workshop/data/train.jsonl: a task without a prompt @ 4',
    ])
  })
})

test('NeMo-RL: lists of one element or of a group, texts without roles or none, the step in the name', async () => {
  const all = await told('nemo-rl')
  expect(all.groups.map(({ of, policyVersion, rewards }) => [of, policyVersion, rewards])).toEqual([
    ['fruit | <|im_start|>user Name a fruit.<|im_end|> <|im_st #', 5, [1, 0]],
    ['fruit | <|im_start|>user Name a tree.<|im_end|> <|im_sta #', 5, [0.5]],
    ['nemo-rl | Name a nut. #', 5, ['NaN']],
    ['nemo-rl | Name a nut. #', 5, [null]],
    ['nemo-rl | Name a bird. #', 5, [1, 0, 'NaN']],
    ['fruit | tokens 10 #', 5, [1, 0]],
  ])
  const roles = all.rollouts.map(({ messages }) => messages?.map(({ role }) => role[0]).join('') ?? null)
  expect(roles).toEqual(['uau', 'uau', 'suauau', 'ua', 'suau', 'suata', 'sua', null, null, null])
  expect(all.rollouts[5]?.messages?.map(({ content }) => content)).toEqual([
    'Be brief.',
    'Name a bird.',
    'Owl',
    'yes',
    '<tool_call>{"name": "look"}</tool_call>',
  ])
  expect(all.rollouts.map(({ tools, tokens, turns }) => [tools?.length, tokens, turns])).toEqual([
    [0, 12, 1],
    [0, 12, 1],
    [1, 30, 2],
    [0, 8, 1],
    [0, 8, 1],
    [1, 40, 2],
    [0, 30, 1],
    [0, 20, null],
    [0, 3, null],
    [0, 3, null],
  ])
  expect(all.skipped).toEqual(['nemo-rl/exp_001/train_data_step5.jsonl: a row with neither content nor tokens @ 6'])
})
