import { expect, test } from 'vitest'
import { told } from './told'

test('Atropos: a line is a group; the visits of a prompt stand for the steps; tokens alone tell the prompt', async () => {
  const all = await told('atropos')
  expect(all.groups.map(({ of, policyVersion, rewards }) => [of, policyVersion, rewards])).toEqual([
    ['riddles | What has keys? #', 0, [1, -1]],
    ['riddles | tokens 5 6 #', 0, [0.5, 'NaN', null]],
    ['riddles | Say it. #', 0, [1]],
    ['riddles | tokens 5 6 #', 1, [0, 0.25]],
    ['riddles | What has keys? #', 1, [0]],
  ])
  expect(all.rollouts.slice(0, 3).map(({ tools, tokens }) => [tools, tokens])).toEqual([
    [['ring'], 4],
    [[], 3],
    [[], 3],
  ])
  expect(all.environment('riddles')?.rewardRange).toEqual([-1, 1])
  expect(all.skipped).toEqual(['atropos/riddles_1.jsonl: a group without scores @ 5'])
})
