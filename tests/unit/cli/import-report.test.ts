import { expect, test } from 'vitest'
import { importReport, progressLine } from '@/lib/cli/import-report'
import type { ImportJob } from '@/lib/contract/import-job'
import type { TaskSetSummary } from '@/lib/contract/task-set'
import { importJob, importSource } from '@/tests/support/import-job'

const job: ImportJob = importJob({
  id: 'i1',
  name: 'rollouts',
  state: 'replaying',
  format: 'rollout lines',
  done: 0,
  total: 2000,
  unit: 'groups',
  perSecond: 0,
  secondsLeft: null,
  accepted: 5,
  duplicates: 0,
  untrusted: { reward_missing: 2 },
  skipped: [
    { reason: 'it is not JSON', count: 12, file: 'a.jsonl', files: 1, lines: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] },
    { reason: 'the whole file: its form is not known', count: 1, file: 'LICENSE', files: 1, lines: [] },
  ],
  taskSet: 's1',
  run: 'r1',
  error: null,
})

test('progress names counts, rate and time left, and shows 0 as 0', () => {
  expect(progressLine(job)).toBe('Replaying rollouts: 0 of 2,000 groups, 0 groups a second')
  const reading: ImportJob = { ...job, state: 'reading', unit: 'bytes', done: 1_500_000, total: null, secondsLeft: 0.4 }
  expect(progressLine({ ...reading, perSecond: null })).toBe('Reading rollouts: 1.5 MB, 1 s left')
})

const taskSet: TaskSetSummary = {
  id: 's1',
  name: 'rollouts',
  fingerprint: 'f',
  createdAt: '',
  environments: 3,
  tasks: 1200,
  tools: 0,
  edges: { within: 0, cross: 0 },
  patterns: 0,
  runs: 1,
}

test('the report tells what came in and what did not, by reason and line', () => {
  expect(importReport({ job, taskSet }, 'http://127.0.0.1:4310')).toBe(`rollouts (rollout lines)
  1,200 tasks in 3 environments with 0 tools
  5 rollouts accepted
  2 of them untrusted: without a reward
  12 skipped: it is not JSON (line 1, 2, 3, 4, 5, 6, 7, 8, …)
  1 skipped: the whole file: its form is not known (LICENSE)
Run: http://127.0.0.1:4310/runs/r1
`)
  const source = importSource({ files: ['a', 'b'].map((name) => ({ name, format: 'rollout lines' })) })
  const skipped = [{ reason: 'it is not JSON', count: 3, file: 'a', files: 2, lines: [4] }]
  expect(importReport({ job: { ...job, source, skipped }, taskSet }, null)).toContain(
    '3 skipped: it is not JSON (a line 4, … in 2 files)',
  )
  const plain = importReport({ job: { ...job, run: null, accepted: 0, untrusted: {} }, taskSet }, null)
  expect(plain).toContain('Task set: s1\nStart a run on it with the button on the Runs page')
  expect(plain).toContain('client.start_run("s1", name="my run")')
  expect(plain).not.toContain('accepted')
  const again = importReport(
    { job: { ...job, accepted: 0, duplicates: 5 }, taskSet: { ...taskSet, environments: 1 } },
    null,
  )
  expect(again).toContain('0 rollouts accepted, 5 were there before')
  expect(again).toContain('in 1 environment with')
})
