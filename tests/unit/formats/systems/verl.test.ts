import { parquetWriteBuffer } from 'hyparquet-writer'
import { beforeAll, describe, expect, test } from 'vitest'
import { bytesFile } from '../source-files'
import { type Told, told } from './told'

describe('verl rollout dumps', () => {
  let all: Told
  beforeAll(async () => {
    all = await told('verl/kitchen')
  })

  test('groups are (prompt, step); NaN, null and texts stay what they are; a session is one rollout', () => {
    expect(all.groups.map(({ of, policyVersion, rewards }) => [of, policyVersion, rewards])).toEqual([
      [expect.stringMatching(/^kitchen \| system You help. <tools>.* #$/), 3, [1, 0]],
      ['kitchen | Make tea. #', 3, ['NaN', null, 0.25, -0.5]],
      ['kitchen | Make tea. #', 4, [1, 0.5, 'Infinity']],
    ])
    expect(all.read.untrusted).toEqual({ reward_invalid: 2, reward_missing: 1 })
    expect(all.environment('kitchen')?.rewardRange).toEqual([-0.5, 1])
    expect(all.set?.tasks[1]?.payload).toEqual({ ground_truth: ['tea', { sugar: 1 }] })
  })

  test('numbers beside the score are parts, also where they are null; texts are not', () => {
    const parts = all.rollouts.map(({ rewardComponents }) => rewardComponents)
    expect(parts.slice(0, 5)).toEqual([
      [{ name: 'acc', value: 1 }],
      [{ name: 'acc', value: 0 }],
      [{ name: 'acc', value: null }],
      [{ name: 'acc', value: null }],
      null,
    ])
  })

  test('calls are read from the text, of all outputs of a session; what is cut off is none', () => {
    expect(all.rollouts.map(({ tools }) => tools)).toEqual([['boil'], [], [], [], [], [], ['boil', 'pour'], [], []])
    expect(all.environment('kitchen')?.tools).toEqual([
      { name: 'boil', description: 'Boils.', parameters: ['minutes'] },
      { name: 'pour', parameters: ['into'] },
    ])
    expect(all.rollouts[6]?.messages?.map(({ content }) => String(content).slice(0, 9))).toEqual([
      'Make tea.',
      '<tool_cal',
      'Make tea.',
      '<tool_cal',
    ])
    expect(all.rollouts.map(({ turns }) => turns)).toEqual([1, 1, 1, 1, 1, 4, 2, 1, 1])
  })

  test('one bad line loses no other', async () => {
    expect(all.skipped).toEqual([
      'kitchen/3.jsonl: a row with an empty prompt @ 7',
      'kitchen/3.jsonl: it is not JSON @ 6',
    ])
    const { mapped } = await told('verl/kitchen/3.jsonl')
    expect(mapped).toEqual(
      expect.arrayContaining(['reward: score', 'policy version: step', 'reward part: acc', 'not used: pred']),
    )
  })
})

describe('verl datasets', () => {
  test('tasks with their tools; the prompt tells apart what an index does not', async () => {
    const { tasks, set, skipped, environment } = await told('verl/dataset.jsonl')
    expect(tasks).toEqual(['cups | train/0', 'cups | train/0 Wash the blue cup. #', 'plates | Wash a plate. #'])
    expect(set?.tasks[0]?.tools).toEqual(['dry', 'wash'])
    expect(environment('cups')?.tools).toEqual([
      { name: 'wash', description: 'Washes a cup.', parameters: ['cup'] },
      { name: 'dry', parameters: [] },
    ])
    expect([environment('cups')?.verifier?.kind, environment('plates')?.verifier?.kind]).toEqual(['rule', 'model'])
    expect(skipped).toEqual([
      'dataset.jsonl: a task that is there twice @ 3 5',
      'dataset.jsonl: a task without a prompt @ 6',
    ])
  })

  test('Parquet, with indices of 64 bits and images that stay out', async () => {
    const prompt = [{ role: 'user', content: 'Wash the jug.' }]
    const bytes = parquetWriteBuffer({
      columnData: [
        { name: 'data_source', data: ['jugs', 'jugs'], type: 'STRING' },
        { name: 'prompt', data: [prompt, [{ role: 'user', content: 'Wash the pot.' }]], type: 'JSON' },
        { name: 'extra_info', data: [{ index: 7 }, { index: 8 }], type: 'JSON' },
        { name: 'images', data: [new Uint8Array([1, 2]), null], type: 'BYTE_ARRAY' },
        { name: 'position', data: [1n, 2n], type: 'INT64' },
      ],
    })
    const { tasks, set } = await told([bytesFile('jugs.parquet', new Uint8Array(bytes))])
    expect(tasks).toEqual(['jugs | 7', 'jugs | 8'])
    expect(set?.tasks.map(({ text }) => text)).toEqual(['user: Wash the jug.', 'user: Wash the pot.'])
    expect(JSON.stringify(set)).not.toContain('images')
  })
})
