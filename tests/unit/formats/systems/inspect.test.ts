import { expect, test } from 'vitest'
import yazl from 'yazl'
import type { SourceFile } from '@/lib/formats/source-file'
import { fixture } from '../source-files'
import { outcome, sayGroup, sayParts, saySkips } from './outcome'

const GROUPS = [
  '0 bread_quiz/1: 1 ok, 0.5 ok',
  '0 bread_quiz/b: 0 ok, 0.5 ok',
  '0 bread_quiz/c: null truncated, null infra_error',
  '0 bread_quiz/d: null cancelled',
]

test('a log: letters, numbers, lists and parts are rewards, NaN and errors are none, nothing counts twice', async () => {
  const { source, set, groups, rollouts } = await outcome(fixture('inspect/log'))
  expect(source.format).toBe('Inspect log')
  expect(groups.map(sayGroup)).toEqual(GROUPS)
  expect(groups.map(({ model }) => model)).toEqual(Array.from(GROUPS, () => 'lab/baker'))
  expect(rollouts.map(({ rewardComponents }) => sayParts(rewardComponents))).toEqual([
    'exact 1, judge 0.25',
    'judge 1, exact 0.5',
    'exact 0, judge 0',
    'exact.crust 1, exact.crumb 0, judge.0 1, judge.1 0',
    'exact null',
    '',
    'exact 1',
  ])
  expect(rollouts[0]).toMatchObject({ tokens: 4, seconds: 2.5, turns: 1 })
  expect(rollouts.map(({ error }) => error)).toEqual([
    ...Array.from({ length: 4 }, () => null),
    'limit: message',
    'The sandbox is gone.',
    'wrong target',
  ])
  expect(set?.environments).toHaveLength(1)
  expect(set?.environments[0]).toMatchObject({
    key: 'bread_quiz',
    tools: [{ name: 'weigh', description: 'Weighs bread.', parameters: ['what'] }],
    verifier: { kind: 'exact | exact+judge', checks: ['exact', 'judge'] },
  })
  expect(set?.tasks[0]).toMatchObject({ key: '1', text: 'Which bread is dark?', payload: { target: 'rye' } })
  expect(saySkips(source)).toEqual([
    'log/_journal/summaries/1.json and 1 more: the whole file: it sums up samples that have files of their own',
    'log/reductions.json: the whole file: it holds means over epochs, no samples',
  ])
})

test('the same log as one file, as it is written: a ZIP whose members are the files', async () => {
  const zip = new yazl.ZipFile()
  for (const { name, open } of fixture('inspect/log')) zip.addBuffer(await bytesOf(open()), name.replace('log/', ''))
  zip.end()
  const packed = await bytesOf(zip.outputStream as AsyncIterable<Uint8Array>)
  const file: SourceFile = {
    name: 'logs/bread.eval',
    bytes: packed.length,
    async *open() {
      yield packed
    },
    read: async (from, to) => packed.subarray(from, to),
  }
  const { source, groups } = await outcome([file])
  expect(groups.map(sayGroup)).toEqual(GROUPS)
  expect(source.format).toBe('Inspect log')
})

async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk)
  return Buffer.concat(parts)
}

test('references and pooled messages are put back, calls are in the OpenAI form', async () => {
  const { rollouts } = await outcome(fixture('inspect/log'))
  expect(rollouts[0]?.messages?.[0]).toEqual({
    role: 'system',
    content: 'You bake, and you know all about bread, grain and ovens of every kind and age.',
  })
  expect(rollouts[2]?.messages).toEqual([
    { role: 'user', content: 'Weigh it.' },
    {
      role: 'assistant',
      content: null,
      reasoning_content: 'I need the scale.',
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'weigh', arguments: '{"what":"rye"}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', name: 'weigh', content: 'The scale is away.', is_error: true },
    { role: 'assistant', content: 'I cannot.' },
  ])
  expect(rollouts[2]?.tools).toEqual(['weigh'])
  expect(rollouts[3]?.messages).toEqual([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Weigh it well.' },
    { role: 'assistant', content: 'Two pounds.' },
  ])
})

test('a log that was cut off has no header, and its journal tells what it is', async () => {
  const { groups, set } = await outcome(fixture('inspect/cut'))
  expect(groups.map(sayGroup)).toEqual(['0 cut_off/1: 0.5 ok', '0 cut_off/2: 0 ok'])
  expect(set?.environments[0]?.verifier).toEqual({ kind: 'exact', checks: ['exact'] })
})

test('a log as one object; the same log twice counts once', async () => {
  const { source, groups } = await outcome(fixture('inspect/whole.json'))
  expect(groups.map((group) => `${group.model} ${sayGroup(group)}`)).toEqual(['lab/other 0 whole_log/7: 1 ok, 0 ok'])
  expect(saySkips(source)).toEqual(['whole.json: a sample without an id [3]'])
  const [file] = fixture('inspect/whole.json') as [SourceFile]
  const twice = await outcome([file, { ...file, name: 'copy.json' }])
  expect(twice.source.rollouts).toBe(2)
  expect(saySkips(twice.source)).toContain('copy.json: a sample that stands in its log twice [1, 2]')
})
