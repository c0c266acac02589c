import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { rolloutInput } from '@/lib/contract/rollout'
import { taskSetInput } from '@/lib/contract/task-set'
import { errorStatus } from '@/lib/formats/error-status'
import { readFiles, UnknownFormatError } from '@/lib/formats/read-files'
import type { SourceFile } from '@/lib/formats/source-file'
import { fixture, textFile } from './source-files'

test('functions, answers and tasks of a folder find each other', async () => {
  const source = await readFiles(fixture('kitchen'))
  const set = taskSetInput.parse(source.taskSet)
  expect(source.format).toBe('BFCL task set')
  expect(set.name).toBe('kitchen')
  expect(set.environments.map((environment) => environment.key)).toEqual(['Oven', 'Post'])
  const oven = set.environments[0]
  expect(oven?.tools?.map((tool) => tool.name)).toEqual(['set_heat', 'bake', 'open_door', 'send', 'read_inbox'])
  expect(oven?.tools?.[1]).toMatchObject({ description: 'Bakes something.', parameters: ['what', 'minutes'] })
  expect(oven?.state).toEqual(['Oven.heat', 'Oven.open', 'Post.inbox'])
  expect(set.environments[1]?.tools?.map((tool) => tool.name)).toEqual(['send', 'read_inbox'])
  const [bake, write] = set.tasks
  expect(bake).toMatchObject({ environment: 'Oven', key: 'bake_base_0', tools: ['set_heat', 'bake', 'send', 'bake'] })
  expect(bake?.text).toBe('Warm the oven and bake the bread.\nTell Ida when it is done.')
  expect(bake?.checks).toEqual(['end state', 'calls', 'Oven state', 'Post state'])
  expect(write).toMatchObject({ environment: 'Post', tools: ['send'], state: ['Post.inbox'] })
  expect(source.skipped).toEqual([
    { reason: 'it is not JSON', count: 1, file: 'kitchen/tasks.json', files: 1, lines: [3] },
    {
      reason: 'the task key is taken or too long in Oven',
      count: 1,
      file: 'kitchen/tasks.json',
      files: 1,
      lines: [4],
    },
  ])
  expect([source.rollouts, [...source.groups]]).toEqual([0, []])
})

test('functions in the row and milestones give tools in their order', async () => {
  const source = await readFiles([...fixture('agent-steps.json'), ...fixture('agent-answers.json')])
  expect(source.format).toBe('ACEBench task set')
  const set = taskSetInput.parse(source.taskSet)
  expect(set.tasks.map(({ environment, tools }) => [environment, tools])).toEqual([
    ['Shelf', ['lend', 'remind']],
    ['talk', ['greet']],
  ])
})

test('what the user does is no tool of the policy, and the folder names what the task does not', async () => {
  const source = await readFiles(fixture('errands'))
  const set = taskSetInput.parse(source.taskSet)
  expect(set.tasks.map(({ environment, key, tools, checks }) => [environment, key, tools, checks])).toEqual([
    ['bakery', '0', ['find_order', 'refund'], ['DB', 'COMMUNICATE']],
    ['errands', '0', ['create_note'], ['ENV_ASSERTION', 'assert_note']],
  ])
  expect(set.environments[0]?.tools?.[1]?.parameters).toEqual(['order_id', 'amount'])
  expect(set.tasks[1]?.state).toEqual(['notes', 'add_user'])
})

test('an exception in a trial is an infrastructure error and not a zero', async () => {
  const source = await readFiles(fixture('trials.json'))
  const groups = [...source.groups]
  expect(groups).toHaveLength(1)
  const rollouts = groups[0]?.rollouts.map((rollout) => rolloutInput.parse(rollout)) ?? []
  expect(rollouts.map(({ environment, task, reward, status }) => [environment, task, reward, status])).toEqual([
    ['bakery', '0', 1, 'ok'],
    ['bakery', '0', 'NaN', 'truncated'],
    ['bakery', '0', null, 'infra_error'],
  ])
  expect(rollouts.map(({ turns, tools, error }) => [turns, tools, error])).toEqual([
    [2, ['find_order'], null],
    [0, [], null],
    [0, [], 'Connection reset'],
  ])
  expect(source.ladder).toEqual([{ model: 'trials', policyVersion: 0, meanReward: 1, groups: 1 }])
  expect(source.untrusted).toEqual({ status: 1, reward_invalid: 1 })
  expect(source.skipped).toMatchObject([{ reason: 'a trial without a task_id', count: 1, lines: [4] }])
  const set = taskSetInput.parse(source.taskSet)
  expect(set.tasks[0]).toMatchObject({ text: 'Return the cake.', tools: ['find_order', 'take_back'] })
  expect(set.environments[0]?.tools?.[1]?.parameters).toEqual(['order_id', 'why'])
})

test('rollout lines make a ladder of models, weakest first, with one group a task and model', async () => {
  const source = await readFiles(fixture('rollouts.jsonl'))
  expect(source.ladder).toEqual([
    { model: 'weak', policyVersion: 0, meanReward: -0.25, groups: 2 },
    { model: 'strong', policyVersion: 1, meanReward: 0.5, groups: 1 },
  ])
  const groups = [...source.groups]
  expect(groups.map(({ policyVersion, rollouts }) => [policyVersion, rollouts[0]?.task, rollouts.length])).toEqual([
    [0, 'rye', 2],
    [0, '4', 2],
    [1, 'rye', 3],
  ])
  for (const group of groups) for (const rollout of group.rollouts) rolloutInput.parse(rollout)
  const four = groups[1]?.rollouts ?? []
  expect(four.map(({ reward, status }) => [reward, status])).toEqual([
    [null, 'ok'],
    ['NaN', 'truncated'],
  ])
  expect(four[0]?.rewardComponents).toEqual([
    { name: 'db', value: 0 },
    { name: 'talk', value: null },
  ])
  expect(groups[2]?.rollouts.map(({ reward, status }) => [reward, status])).toEqual([
    [1, 'ok'],
    [0, 'ok'],
    [null, 'infra_error'],
  ])
  expect(source.untrusted).toEqual({ status: 1, reward_missing: 1, reward_invalid: 1 })
  expect(source.rollouts).toBe(7)
  expect(source.skipped).toMatchObject([
    { reason: 'it is not JSON', count: 1, lines: [7] },
    { reason: 'a rollout without a task', count: 1, lines: [8] },
  ])
  const set = taskSetInput.parse(source.taskSet)
  expect(set.environments[0]).toMatchObject({
    key: 'oven',
    verifier: { kind: 'state+output', checks: ['state', 'output'] },
  })
  expect(new Set([...source.groups].flatMap((group) => group.rollouts.map((rollout) => rollout.id))).size).toBe(7)
})

test('gzip is told by its first bytes, and progress counts bytes as on disk', async () => {
  const [plain] = fixture('rollouts.jsonl') as [SourceFile]
  const path = new URL('../../fixtures/formats/rollouts.jsonl', import.meta.url)
  const packed = gzipSync(readFileSync(path))
  const zipped: SourceFile = {
    name: 'rollouts.bin',
    async *open() {
      for (let at = 0; at < packed.length; at += 11) yield packed.subarray(at, at + 11)
    },
  }
  let last = { file: '', bytes: 0, rows: 0 }
  const source = await readFiles([zipped], {
    onProgress: (progress) => {
      last = progress
    },
  })
  const same = await readFiles([plain])
  expect([...source.groups]).toEqual([...same.groups])
  expect(last).toMatchObject({ file: 'rollouts.bin', bytes: packed.length })
})

test('a broken gzip keeps the rows before the damage and tells it', async () => {
  const packed = gzipSync('{"environment":"a","task":"b","reward":1}\n'.repeat(2000))
  const cut: SourceFile = {
    name: 'cut.jsonl.gz',
    async *open() {
      yield packed.subarray(0, packed.length - 20)
    },
  }
  const source = await readFiles([cut])
  expect(source.rollouts).toBeGreaterThan(1000)
  expect(source.skipped).toMatchObject([
    { reason: 'the file breaks off here: it is damaged', count: 1, lines: [source.rollouts + 1] },
  ])
})

test('what is not known is refused in one sentence', async () => {
  await expect(readFiles([textFile('notes.txt', 'hello')])).rejects.toThrow(UnknownFormatError)
  await expect(readFiles(fixture('agent-answers.json'))).rejects.toThrow('holds answers or functions but no tasks')
})

test.each([
  [null, 'ok'],
  ['multi_turn:state_mismatch', 'ok'],
  ['InvalidRequestError\nTraceback (most recent call last):', 'infra_error'],
  ['infrastructure_error', 'infra_error'],
  ['max_steps', 'truncated'],
  ['verifier crashed', 'verifier_error'],
  ['cancelled by the user', 'cancelled'],
])('error %j is %s', (error, status) => {
  expect(errorStatus(error)).toBe(status)
})
