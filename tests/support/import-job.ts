/**
 * An import job for tests: done, nothing in it, unless a test says otherwise.
 */
import type { ImportJob, ImportSource, ImportStep } from '@/lib/contract/import-job'

export function importStep(name: ImportStep['name'], parts: Partial<ImportStep> = {}): ImportStep {
  return {
    name,
    state: 'done',
    done: null,
    total: null,
    unit: 'groups',
    perSecond: null,
    secondsLeft: null,
    seconds: 1,
    ...parts,
  }
}

export function importSource(parts: Partial<ImportSource> = {}): ImportSource {
  return {
    rows: 100,
    kept: 97,
    files: [{ name: 'results.json', format: 'rollout lines' }],
    mapping: [],
    environments: [{ key: 'airline', tasks: 10, rollouts: 97 }],
    statuses: { ok: 97 },
    groups: 12,
    usualSize: 8,
    usualGroups: 11,
    models: ['a', 'b'],
    knownTaskSet: false,
    ...parts,
  }
}

export function importJob(parts: Partial<ImportJob> = {}): ImportJob {
  return {
    id: 'i1',
    name: 'results.json',
    state: 'done',
    format: 'rollout lines',
    done: 0,
    total: null,
    unit: 'groups',
    perSecond: null,
    secondsLeft: null,
    accepted: 0,
    duplicates: 0,
    untrusted: {},
    skipped: [],
    taskSet: null,
    run: null,
    error: null,
    startedAt: '2026-11-29T12:00:00.000Z',
    endedAt: '2026-11-29T12:00:20.000Z',
    bytes: null,
    replay: false,
    steps: [importStep('read'), importStep('join'), importStep('graph'), importStep('predict')],
    source: null,
    kept: null,
    resumable: false,
    mapping: null,
    table: null,
    skippedKept: 0,
    ...parts,
  }
}
