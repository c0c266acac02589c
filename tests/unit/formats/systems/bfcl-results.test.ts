import { expect, test } from 'vitest'
import { fixture } from '../source-files'
import { outcome, sayGroup, sayParts, saySkips } from './outcome'

const own = (model: string) => fixture('bfcl-results').filter(({ name }) => name.includes(`/${model}/`))
const tasks = () => fixture('bfcl-results/tasks')

test('beside the task set: passed is what the score does not list, in the environment of the task', async () => {
  const { source, set, groups, rollouts } = await outcome([...tasks(), ...own('baker-1')])
  expect(source.format).toBe('BFCL task set and BFCL results and BFCL scores')
  expect(groups.map(sayGroup)).toEqual([
    '0 Oven/multi_turn_miss_func_0: 1 ok',
    '0 Oven/multi_turn_miss_func_1: 0 ok',
    '0 Oven/multi_turn_miss_func_2: 0 ok',
    '0 Oven/multi_turn_miss_func_3: 0 truncated',
    '0 Oven/multi_turn_miss_func_4: null infra_error',
    '0 simple_python/simple_python_0: 1 ok',
    '0 simple_python/simple_python_1: 0 ok',
    '0 simple_python/simple_python_2: 1 ok',
    '0 simple_python/simple_python_3: null infra_error',
  ])
  expect(new Set(groups.map(({ model }) => model))).toEqual(new Set(['baker-1']))
  expect(rollouts.map(({ rewardComponents }) => sayParts(rewardComponents))).toEqual([
    'end state 1, calls 1',
    'end state 0, calls null',
    'end state 1, calls 0',
    'end state null, calls null',
    '',
    'calls 1',
    'calls 0',
    'calls 1',
    '',
  ])
  expect(rollouts.map(({ tools }) => tools)).toEqual([
    ['warm', 'bake', 'send', 'bake'],
    ['warm', 'bake', 'send', 'bake'],
    ['warm', 'bake', 'send', 'bake'],
    ['warm', 'bake', 'send', 'bake'],
    [],
    ['kitchen.bake'],
    ['kitchen.bake', 'wash_up'],
    ['kitchen.bake'],
    [],
  ])
  expect(rollouts[0]).toMatchObject({ turns: 4, tokens: 10, seconds: 2.75 })
  expect(rollouts[1]?.error).toBe('multi_turn:instance_state_mismatch: instance_state_mismatch it is.')
  expect(rollouts[6]?.error).toBe('simple_function_checker:wrong_count: Wrong number of functions.')
  expect(rollouts[0]?.messages?.map(({ role, content }) => [role, content])).toEqual([
    ['user', 'Warm it.'],
    ['assistant', null],
    ['assistant', null],
    ['assistant', 'I cannot bake yet.'],
    ['user', 'Bake.'],
    ['assistant', null],
  ])
  expect(set?.tasks).toHaveLength(9)
  expect(saySkips(source)).toEqual([
    'bfcl-results/run/result/baker-1/non_live/BFCL_v4_simple_python_result.json: a result whose id stands twice [5]',
    'bfcl-results/run/result/baker-1/non_live/BFCL_v4_simple_python_result.json: a result without an id [6]',
    'bfcl-results/run/score/baker-1/multi_turn/BFCL_v4_multi_turn_miss_func_score.json: a failure without its result [6]',
  ])
})

test('without the task set the category is the environment, of passes and failures alike', async () => {
  const { groups, set } = await outcome(own('baker-1'))
  expect(new Set(groups.map(({ rollouts }) => rollouts[0]?.environment))).toEqual(
    new Set(['multi_turn_miss_func', 'simple_python']),
  )
  expect(set?.environments.map(({ verifier }) => verifier?.kind).sort()).toEqual(['calls', 'end state+calls'])
})

test('no score, or one over fewer results, leaves open what passed', async () => {
  const { source, groups } = await outcome([...own('baker-2'), ...own('baker-3')])
  expect(groups.map((group) => `${group.model} ${sayGroup(group)}`)).toEqual([
    'baker-2 0 live_simple/live_simple_0-0-0: null ok',
    'baker-3 1 live_simple/live_simple_0-0-0: 0 ok',
    'baker-3 1 live_simple/live_simple_1-1-0: null ok',
  ])
  expect(source.untrusted).toEqual({ reward_missing: 2 })
})

test('two runs of a model are two trials of its tasks', async () => {
  const run = (name: string) =>
    own('baker-3').map((file) => ({
      ...file,
      name: file.name.replace('/run/', '/').replace(/(result|score)\//, `$1_${name}/`),
    }))
  const { groups, source } = await outcome([...run('first'), ...run('second')])
  expect(groups.map(sayGroup)).toEqual([
    '0 live_simple/live_simple_0-0-0: 0 ok, 0 ok',
    '0 live_simple/live_simple_1-1-0: null ok, null ok',
  ])
  expect(saySkips(source)).toEqual([])
})

test('files of 2024 number the rows of a score from 1', async () => {
  const { groups, rollouts } = await outcome(fixture('bfcl-results/old'))
  expect(groups.map(sayGroup)).toEqual([
    '0 simple/simple_0: 1 ok',
    '0 simple/simple_1: 0 ok',
    '0 simple/simple_2: 0 ok',
  ])
  expect(rollouts.map(({ tools }) => tools)).toEqual([['bake'], ['bake'], []])
})

test('the task set: functions of all classes, what is left out, what a missing function asks for', async () => {
  const { set } = await outcome(tasks())
  const oven = set?.environments.find(({ key }) => key === 'Oven')
  expect(oven?.tools?.map(({ name, parameters }) => [name, parameters])).toEqual([
    ['warm', ['heat']],
    ['bake', ['what']],
    ['send', []],
  ])
  expect(oven?.state).toEqual(['Oven.heat', 'Post.inbox'])
  expect(set?.tasks.find(({ key }) => key === 'multi_turn_miss_func_0')).toMatchObject({
    tools: ['warm', 'bake', 'bake'],
    checks: ['end state', 'calls', 'waits for a missing function', 'Oven state', 'Post state'],
  })
  expect(set?.tasks.find(({ key }) => key === 'simple_python_0')?.tools).toEqual(['kitchen.bake'])
})
