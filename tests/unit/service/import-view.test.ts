import { expect, test } from 'vitest'
import type { ImportReport } from '@/lib/service/imports/import-progress'
import { importView } from '@/lib/service/imports/import-view'
import type { ImportJobRow } from '@/lib/store/import-job'

test('a resumed import takes its rate from what came in since', () => {
  const report: ImportReport = {
    accepted: 0,
    untrusted: {},
    skipped: [],
    groupsDone: 910,
    groupsFrom: 900,
    steps: { predict: { startedAt: 0, endedAt: null } },
  }
  const job: ImportJobRow<ImportReport> = {
    id: 'i1',
    name: 'history',
    state: 'replaying',
    format: 'rollout lines',
    done: 910,
    total: 1000,
    unit: 'groups',
    startedAt: 0,
    updatedAt: 0,
    report,
    taskSetId: null,
    runId: null,
    error: null,
  }
  expect(importView(job, 10_000)).toMatchObject({ perSecond: 1, secondsLeft: 90 })
  expect(importView({ ...job, done: 900 }, 10_000)).toMatchObject({ perSecond: null, secondsLeft: null })
})
