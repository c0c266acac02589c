import { expect, test } from 'vitest'
import { fixture } from '../source-files'
import { outcome, sayGroup, saySkips } from './outcome'

test('a task is its prompt, the version its folder, and what was only evaluated lies apart', async () => {
  const { source, set, groups, rollouts } = await outcome(fixture('areal'))
  expect(source.format).toBe('AReaL trajectory dump')
  expect(set?.environments.map(({ key }) => key).sort()).toEqual(['baking', 'baking (evaluation)'])
  const keyOf = (word: string) => set?.tasks.find(({ key }) => key.includes(word))?.key
  expect(groups.map(sayGroup)).toEqual([
    `3 baking/${keyOf('rye')}: 1 ok, 0 ok, NaN ok, 0.5 ok`,
    `3 baking/${keyOf('oat')}: 2.5 ok`,
    `4 baking (evaluation)/${keyOf('rye')}: null ok`,
  ])
  expect(rollouts.map(({ tokens }) => tokens)).toEqual([20, 20, 20, null, 20, 20])
  expect(rollouts[1]?.tools).toEqual(['bake'])
  expect(rollouts[0]?.messages?.[1]).toEqual({ role: 'assistant', content: 'Done.<|im_end|>' })
  const baking = set?.environments.find(({ key }) => key === 'baking')
  expect(baking).toMatchObject({ rewardRange: [0, 2.5], tools: [{ name: 'bake', parameters: ['what'] }] })
  expect(saySkips(source)).toEqual([
    'areal/baking/first/rollout/3/42.jsonl: a sample without a prompt [4]',
    'areal/baking/first/rollout/3/42.jsonl: it is not JSON [5]',
  ])
})
