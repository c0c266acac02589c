import { expect, test } from 'vitest'
import { fixture } from '../source-files'
import { outcome, sayGroup, sayParts, saySkips } from './outcome'

test('a run and its trials by the same name: each trial counts once, "unset" says nothing, null is no zero', async () => {
  const { source, set, groups, rollouts } = await outcome(fixture('terminal-bench/run-a'))
  expect(source.format).toBe('Terminal-Bench results')
  expect(groups.map(sayGroup).sort()).toEqual([
    '0 bread-core@0.1.1/oat: null infra_error, 0 truncated, null ok',
    '0 bread-core@0.1.1/rye: 1 ok, 0 ok',
  ])
  expect(new Set(groups.map(({ model }) => model))).toEqual(new Set(['lab/baker-1']))
  const failed = rollouts.find(({ task, reward }) => task === 'rye' && reward === 0)
  expect(failed).toMatchObject({ tokens: 5, seconds: 60, error: null })
  expect(sayParts(failed?.rewardComponents)).toBe('test_baked 1, test_dark 0')
  expect(set?.tasks.find(({ key }) => key === 'rye')).toMatchObject({
    text: 'Do rye.',
    checks: ['test_baked', 'test_dark'],
  })
  expect(set?.environments[0]?.verifier?.kind).toBe('tests')
  expect(source.untrusted).toEqual({ status: 1, reward_missing: 1 })
  expect(saySkips(source)).toEqual([
    'run-a/rye/rye.1-of-2.run-a/results.json and 1 more: a trial that stands in another file too [1]',
  ])
})

test('a data set is written in two ways, files are renamed, and time of the tests is none of the policy', async () => {
  const dated = (run: string, folder: string) =>
    fixture('terminal-bench/other')
      .filter(({ name }) => name.includes(run))
      .map((file) => ({ ...file, name: file.name.replace('other', folder) }))
  const files = [...dated('run-b', 'terminal-bench-core:0.1.1'), ...dated('run-c', 'terminal-bench-core@0.1.1')]
  const { source, groups } = await outcome(files)
  expect(groups.map((group) => `${group.model} ${sayGroup(group)}`).sort()).toEqual([
    'run-b 0 terminal-bench-core@0.1.1/rye: null verifier_error',
    'run-c 1 terminal-bench-core@0.1.1/rye: 1 ok',
  ])
  expect(saySkips(source)).toEqual([
    'terminal-bench-core@0.1.1/run-c/2026-01-02__results.json: a trial without a task_id [2]',
  ])
})
