/**
 * The stored progress of one import, written a few times a second at most, and how it reads.
 */
import type { ImportJob } from '@/lib/contract/import-job'
import type { RolloutsAnswer } from '@/lib/contract/rollout'
import { findImportJob, type ImportJobRow, updateImportJob } from '@/lib/store/import-job'
import { updateRun } from '@/lib/store/run'
import type { Runtime } from './runtime'
import { addCounts } from './tally'

export interface ImportReport {
  accepted: number
  /** missing in jobs stored before it was counted */
  duplicates?: number
  untrusted: Record<string, number>
  skipped: ImportJob['skipped']
}

const EVERY_MS = 300

export class ImportProgress {
  private written = 0

  constructor(
    private readonly runtime: Runtime,
    private readonly id: string,
    private readonly clock: () => number,
  ) {}

  get cancelled(): boolean {
    return this.runtime.imports.get(this.id)?.cancelled === true
  }

  /** Bytes read so far; written now and then, in the background. */
  read(bytes: number): void {
    if (this.clock() - this.written < EVERY_MS) return
    this.written = this.clock()
    void this.note({ done: bytes })
  }

  async note(patch: Partial<Omit<ImportJobRow<ImportReport>, 'id' | 'startedAt'>>): Promise<void> {
    await this.runtime.database.transaction((tx) => updateImportJob(tx, this.id, { ...patch, updatedAt: this.clock() }))
  }

  async absorbed(done: number, answer: RolloutsAnswer): Promise<void> {
    const stored = await findImportJob<ImportReport>(this.runtime.database.db, this.id)
    if (stored === null) return
    const report = stored.report
    report.accepted += answer.accepted
    report.duplicates = (report.duplicates ?? 0) + answer.duplicates
    addCounts(report.untrusted, answer.untrusted)
    for (const { reason, index } of answer.rejected) {
      const known = report.skipped.find((skip) => skip.reason === reason)
      if (known === undefined) report.skipped.push({ reason, count: 1, lines: [index + 1] })
      else known.count += 1
    }
    await this.note({ done, report })
  }

  async finish(state: 'done' | 'cancelled'): Promise<void> {
    await this.note({ state })
  }

  /** An imported run is over: nothing more will come. */
  async closeRun(run: string): Promise<void> {
    await this.runtime.database.transaction((tx) =>
      updateRun(tx, run, { status: 'finished', statusNote: 'imported', finishedAt: this.clock() }),
    )
  }
}

const STATES = ['reading', 'replaying', 'done', 'failed', 'cancelled'] as const

export function importView(job: ImportJobRow<ImportReport>, now: number): ImportJob {
  const over = job.state === 'done' || job.state === 'failed' || job.state === 'cancelled'
  const seconds = ((over ? job.updatedAt : now) - job.startedAt) / 1000
  const perSecond = seconds > 0 && job.done > 0 ? job.done / seconds : null
  const left = job.total === null || perSecond === null || over ? null : Math.max(0, (job.total - job.done) / perSecond)
  return {
    id: job.id,
    name: job.name,
    state: STATES.find((state) => state === job.state) ?? 'failed',
    format: job.format,
    done: Math.round(job.done),
    total: job.total,
    unit: job.unit === 'groups' ? 'groups' : job.unit === 'rows' ? 'rows' : 'bytes',
    perSecond,
    secondsLeft: left,
    accepted: job.report.accepted,
    duplicates: job.report.duplicates ?? 0,
    untrusted: job.report.untrusted,
    skipped: job.report.skipped,
    taskSet: job.taskSetId,
    run: job.runId,
    error: job.error,
  }
}
