import { parquetWriteBuffer } from 'hyparquet-writer'
import { expect, test } from 'vitest'
import { bytesFile } from '../source-files'
import { told } from './told'

const NONE = Number.NaN

/** A step's table as pandas writes it: None in a reward is NaN, in a text null. */
function completions(step: number, extra: boolean) {
  const texts = (name: string, data: (string | null)[]) => ({ name, data, type: 'STRING' as const })
  const numbers = (name: string, data: (number | null)[]) => ({ name, data, type: 'DOUBLE' as const })
  const bytes = parquetWriteBuffer({
    columnData: [
      { name: 'step', data: [step, step, step, step], type: 'INT32' },
      texts('prompt', ['Add 1 and 2.', 'Add  1 and 2.', 'Add 3 and 4.', 'Add 3 and 4.']),
      texts('completion', ['3', '<tool_call>{"name": "add", "arguments": {"a": 1}}</tool_call>', '7', '8']),
      numbers('accuracy', [1, 0, NONE, NONE]),
      numbers('SumEnv', [0.5, NONE, -0.5, NONE]),
      ...(extra
        ? [
            texts('lease', ['b1-1', 'b1-1', null, null]),
            numbers('difficulty', [3, 3, 9, 9]),
            texts('environment', ['sums', 'sums', 'sums', 'sums']),
            texts('task', ['a', 'a', 'b', 'b']),
          ]
        : []),
      numbers('advantage', [0.7, -0.7, 0, 0]),
    ],
  })
  return bytesFile(`out/completions/completions_0000${step}.parquet`, new Uint8Array(bytes))
}

test('reward columns end where logged ones begin; their sum is the reward, null only where no function judged', async () => {
  const all = await told([completions(1, true), completions(2, true)])
  expect(all.groups.map(({ of, policyVersion, rewards }) => [of, policyVersion, rewards])).toEqual([
    ['sums | a', 1, [1.5, 0]],
    ['sums | b', 1, [-0.5, null]],
    ['sums | a', 2, [1.5, 0]],
    ['sums | b', 2, [-0.5, null]],
  ])
  expect(all.rollouts[1]?.rewardComponents).toEqual([
    { name: 'accuracy', value: 0 },
    { name: 'SumEnv', value: null },
  ])
  expect(all.rollouts.slice(0, 2).map(({ tools }) => tools)).toEqual([[], ['add']])
  expect(all.environment('sums')?.verifier?.checks).toEqual(['accuracy', 'SumEnv'])
  expect(all.environment('sums')?.rewardRange).toEqual([-0.5, 1.5])
  expect(all.read.untrusted).toEqual({ reward_missing: 2 })
  expect(all.mapped).toEqual(
    expect.arrayContaining([
      'reward part: accuracy',
      'reward part: SumEnv',
      'not used: difficulty',
      'not used: advantage',
    ]),
  )
})

test('without logged columns the prompt is the task and the folder the environment', async () => {
  const { groups, skipped } = await told([completions(3, false)])
  expect(groups.map(({ of, rewards }) => [of, rewards])).toEqual([
    ['out | Add 1 and 2. #', [1.5, 0]],
    ['out | Add 3 and 4. #', [-0.5, null]],
  ])
  expect(skipped).toEqual([])
})

test('tables of older releases: the step as text, one reward, no advantage; prompts as messages', async () => {
  const messages = [
    { role: 'system', content: 'Add.' },
    { role: 'user', content: '1 and 2' },
  ]
  const bytes = parquetWriteBuffer({
    columnData: [
      { name: 'step', data: ['4', '4'], type: 'STRING' },
      { name: 'prompt', data: [messages, messages], type: 'JSON' },
      {
        name: 'completion',
        data: [[{ role: 'assistant', content: '3' }], [{ role: 'assistant', content: '4' }]],
        type: 'JSON',
      },
      { name: 'reward', data: [1, 0.25], type: 'DOUBLE' },
    ],
  })
  const { groups, rollouts } = await told([bytesFile('completions.parquet', new Uint8Array(bytes))])
  expect(groups.map(({ of, policyVersion, rewards }) => [of, policyVersion, rewards])).toEqual([
    ['trl | 1 and 2 #', 4, [1, 0.25]],
  ])
  expect(rollouts[0]?.messages).toEqual([...messages, { role: 'assistant', content: '3' }])
})
