/**
 * The stored progress of one import: its steps, what was found, what came in; written a few times a second at most.
 * Invariant: one writer a job, so that what is kept here is what is stored.
 */
import { ARCHIVE_FORMAT, type ArchiveManifest } from '@/lib/contract/archive'
import type { ColumnMapping, ImportTable } from '@/lib/contract/column-mapping'
import type { ImportJob, ImportSource } from '@/lib/contract/import-job'
import type { RolloutsAnswer } from '@/lib/contract/rollout'
import type { ImportedSource, ReadProgress, ReadTally } from '@/lib/formats/read-files'
import type { Runtime } from '@/lib/service/runtime'
import { addCounts } from '@/lib/service/tally'
import { type ImportJobRow, updateImportJob } from '@/lib/store/import-job'
import { IMPORTED, updateRun } from '@/lib/store/run'

export type StepName = ImportJob['steps'][number]['name']

/** epoch milliseconds; `endedAt` null while it is under way */
interface StepTimes {
  startedAt: number
  endedAt: number | null
}

type Skip = ImportJob['skipped'][number]
type StoredSkip = Omit<Skip, 'file' | 'files'> & Partial<Pick<Skip, 'file' | 'files'>>

export interface ImportReport {
  accepted: number
  /** missing in jobs stored before it was counted */
  duplicates?: number
  untrusted: Record<string, number>
  skipped: StoredSkip[]
  bytes?: number | null
  replay?: boolean
  steps?: Partial<Record<StepName, StepTimes>>
  source?: ImportSource | null
  /** bytes of the files that are still there, so that the import can go on; null where they are not */
  kept?: number | null
  /** how rows are read that nobody knew */
  mapping?: ColumnMapping | null
  /** columns that wait for a mapping */
  table?: ImportTable | null
  /** groups that came in, in ladder order, and the run that they came into */
  groupsDone?: number
  groupsRun?: string | null
  /** of them, those that were there when it was resumed: no part of its rate */
  groupsFrom?: number
  /** lines that were left out and can be read one by one */
  skippedKept?: number
  /** of the run, where it does not follow from the name */
  key?: string
}

const EVERY_MS = 300

export class ImportProgress {
  private written = 0
  private readonly report: ImportReport

  constructor(
    private readonly runtime: Runtime,
    private readonly id: string,
    private readonly clock: () => number,
    before: ImportReport,
  ) {
    this.report = { duplicates: 0, steps: {}, source: null, ...before, skipped: [...before.skipped] }
  }

  /** Groups of this run that came in before the import was stopped. */
  groupsBefore(run: string): number {
    if (this.report.groupsRun !== run) this.report.groupsDone = 0
    this.report.groupsRun = run
    this.report.groupsFrom = this.report.groupsDone ?? 0
    return this.report.groupsFrom
  }

  skippedKept(count: number): void {
    this.report.skippedKept = count
  }

  /** The files are of no use any more. */
  dropped(): void {
    this.report.kept = null
  }

  async waitForMapping(table: ImportTable): Promise<void> {
    this.report.table = table
    this.report.skipped = []
    await this.note({ state: 'mapping', error: null })
  }

  get cancelled(): boolean {
    return this.runtime.imports.get(this.id)?.cancelled === true
  }

  get replayFollows(): boolean {
    return this.runtime.imports.get(this.id)?.replay === true
  }

  /** What was found so far; written now and then, in the background. */
  read(progress: ReadProgress): void {
    if (this.clock() - this.written < EVERY_MS) return
    this.written = this.clock()
    this.found(progress.tally())
    void this.note({ done: progress.bytes, format: this.formatOf(progress) })
  }

  /** The next step begins; the one before is over. */
  async begin(name: StepName, patch: Partial<ImportJobRow<ImportReport>> = {}): Promise<void> {
    this.endSteps()
    this.report.steps = { ...this.report.steps, [name]: { startedAt: this.clock(), endedAt: null } }
    await this.note(patch)
  }

  /** All of the source is read; its groups are known. */
  joined(source: ImportedSource): void {
    this.found(source.tally)
    const sizes = [...source.groupSizes].sort((a, b) => b[1] - a[1])
    if (this.report.source === null || this.report.source === undefined) return
    this.report.source.groups = sizes.reduce((sum, [, count]) => sum + count, 0)
    this.report.source.usualSize = sizes[0]?.[0] ?? null
    this.report.source.usualGroups = sizes[0]?.[1] ?? null
    this.report.source.models = source.ladder.map(({ model }) => model)
  }

  /** A run's archive is what this import holds. */
  archive(name: string, { tables }: ArchiveManifest): void {
    const rows = Object.values(tables).reduce((sum, count) => sum + count, 0)
    this.report.accepted = tables.Rollout ?? 0
    this.report.source = {
      rows,
      kept: rows,
      files: [{ name, format: ARCHIVE_FORMAT }],
      mapping: [],
      environments: [],
      statuses: {},
      groups: tables.Group ?? 0,
      usualSize: null,
      usualGroups: null,
      models: [],
      knownTaskSet: null,
    }
  }

  knownTaskSet(known: boolean): void {
    if (this.report.source) this.report.source.knownTaskSet = known
  }

  skipped(skipped: ImportJob['skipped']): void {
    this.report.skipped = skipped
  }

  async note(patch: Partial<Omit<ImportJobRow<ImportReport>, 'id' | 'startedAt' | 'report'>>): Promise<void> {
    const report = { ...this.report, replay: this.replayFollows }
    await this.runtime.database.transaction((tx) =>
      updateImportJob(tx, this.id, { ...patch, report, updatedAt: this.clock() }),
    )
  }

  async absorbed(done: number, answer: RolloutsAnswer): Promise<void> {
    const { report } = this
    report.accepted += answer.accepted
    report.duplicates = (report.duplicates ?? 0) + answer.duplicates
    addCounts(report.untrusted, answer.untrusted)
    for (const { reason, index } of answer.rejected) {
      const known = report.skipped.find((skip) => skip.reason === reason)
      if (known === undefined) report.skipped.push({ reason, count: 1, file: '', files: 1, lines: [index + 1] })
      else known.count += 1
    }
    report.groupsDone = done
    await this.note({ done })
  }

  async finish(state: 'done' | 'cancelled' | 'failed', error: string | null = null): Promise<void> {
    // a step that was under way when it stopped has no end of its own
    if (state === 'done') {
      this.endSteps()
      this.report.kept = null
    }
    await this.note({ state, error })
  }

  /** An imported run is over: nothing more will come. */
  async closeRun(run: string): Promise<void> {
    await this.runtime.database.transaction((tx) =>
      updateRun(tx, run, { status: 'finished', statusNote: IMPORTED, finishedAt: this.clock() }),
    )
  }

  private endSteps(): void {
    for (const times of Object.values(this.report.steps ?? {})) times.endedAt ??= this.clock()
  }

  private found(tally: ReadTally): void {
    const { rows, kept, files, mapping, environments, statuses, skipped } = tally
    this.report.skipped = skipped
    this.report.source = {
      ...(this.report.source ?? { groups: null, usualSize: null, usualGroups: null, models: [], knownTaskSet: null }),
      ...{ rows, kept, files, mapping, environments, statuses },
    }
  }

  private formatOf(progress: ReadProgress): string {
    return progress.tally().format
  }
}
