/* Owns the verdict of the Import page: of one job, or of those so far.
   Invariant: figures are the job's own; what failed says so and what stays. */
import { ARCHIVE_FORMAT } from '@/lib/contract/archive'
import type { ImportJob } from '@/lib/contract/import-job'
import { formatCount, formatFixed, formatNumber, formatSpan } from './format'
import { needlessFiles, skippedFiles, skippedRows } from './import-skips'

export const isOver = (job: Pick<ImportJob, 'state'>) => job.state !== 'reading' && job.state !== 'replaying'

interface Said {
  sentence: string
  context: string
}

function skippedWords(job: ImportJob, lines = ''): string {
  const rows = skippedRows(job)
  const files = skippedFiles(job)
  const needless = needlessFiles(job)
  const apart =
    needless === 0 ? '' : `; ${formatCount(needless, 'part')} of the files ${needless === 1 ? 'is' : 'are'} not needed`
  if (rows + files === 0) return `No row was skipped${apart}`
  const reasons = formatCount(job.skipped.filter((skip) => skip.needless !== true).length, 'reason')
  const parts = [
    ...(rows > 0 ? [formatCount(rows, 'row')] : []),
    ...(files > 0 ? [formatCount(files, 'whole file')] : []),
  ]
  const were = rows + files === 1 ? 'was' : 'were'
  return `${parts.join(' and ')} ${were} skipped for ${reasons}${rows > 0 ? lines : ''}${apart}`
}

function left(job: ImportJob): string {
  return job.secondsLeft === null ? '' : `, ${formatSpan(job.secondsLeft)} left`
}

function runningVerdict(job: ImportJob): Said {
  const context = `You can leave this page or close the browser; the import goes on. ${skippedWords(job)} so far.`
  const rows = job.source?.rows ?? null
  if (job.format === ARCHIVE_FORMAT)
    return {
      sentence: `Importing an archive: storing ${formatFixed(job.done, 0)} of ${formatCount(job.total ?? rows ?? 0, 'row')}${left(job)}.`,
      context: 'You can leave this page or close the browser; the import goes on. A run comes in whole or not at all.',
    }
  const running = job.steps.find(({ state }) => state === 'running')
  if (running?.name === 'graph' || running?.name === 'join')
    return {
      sentence: `Importing: ${formatCount(rows ?? 0, 'row')} are read, ${running.name === 'graph' ? 'the graph is being built' : 'groups are being joined'}.`,
      context,
    }
  if (job.state === 'replaying')
    return {
      sentence: `Importing: ${formatFixed(job.done, 0)} of ${formatCount(job.total ?? 0, 'group')} predicted${left(job)}.`,
      context,
    }
  const part =
    job.total !== null && job.total > 0
      ? `, ${formatNumber('share', Math.min(1, job.done / job.total), 'n/a')} of the bytes`
      : ''
  return {
    sentence:
      rows === null
        ? `Importing ${job.name}.`
        : `Importing: ${formatCount(rows, 'row')} read so far${part}${left(job)}.`,
    context,
  }
}

function doneContext(job: ImportJob): string {
  const { source } = job
  if (source === null) return ''
  const tasks = source.environments.reduce((sum, one) => sum + one.tasks, 0)
  const where = `${formatCount(tasks, 'task')} in ${formatCount(source.environments.length, 'environment')}`
  const groups =
    source.groups === null || source.groups === 0 ? where : `${formatCount(source.groups, 'group')} on ${where}`
  const versions = source.models.length
  const models =
    versions === 0
      ? ''
      : new Set(source.models).size < versions
        ? `, ${formatCount(versions, 'policy version')}`
        : `, ${formatCount(versions, 'model')}, each a policy version`
  const took =
    job.endedAt === null ? '' : ` It took ${formatSpan((Date.parse(job.endedAt) - Date.parse(job.startedAt)) / 1000)}.`
  return `${groups}${models}.${took}`
}

function doneVerdict(job: ImportJob): Said {
  if (job.format === ARCHIVE_FORMAT)
    return {
      sentence: `The run is here as it was: ${formatCount(job.accepted, 'rollout')} in ${formatCount(job.source?.groups ?? 0, 'group')}.`,
      context: `${formatCount(job.source?.kept ?? 0, 'row')} stored, with its log, decisions and overrides. A trainer with its key goes on with it.`,
    }
  const context = doneContext(job)
  const skipped = `${skippedWords(job, ', each with its line')}.`
  const rows = job.source?.rows ?? job.accepted
  const kept = job.source?.kept ?? job.accepted
  const before = job.duplicates === 0 ? '' : `, ${formatFixed(job.duplicates, 0)} of them there before`
  if (job.run === null)
    return {
      sentence: `A task set came in from ${formatFixed(kept, 0)} of ${formatCount(rows, 'row')}. ${skipped}`,
      context,
    }
  if (job.accepted === 0 && job.duplicates > 0)
    return {
      sentence: `Nothing new: all ${formatCount(job.duplicates, 'rollout')} were there before. ${skipped}`,
      context,
    }
  return {
    sentence: `Imported ${formatFixed(kept, 0)} of ${formatCount(rows, 'row')} into a run${before}. ${skipped}`,
    context,
  }
}

export function importVerdict(job: ImportJob): Said {
  switch (job.state) {
    case 'done':
      return doneVerdict(job)
    case 'failed':
      return {
        sentence: `Could not import ${job.name}.`,
        context: job.error ?? 'The reason is not known; it is in the log of the server.',
      }
    case 'cancelled':
      return {
        sentence: `Cancelled: ${formatCount(job.accepted, 'rollout')} had come in${job.accepted > 0 ? ' and stay' : ''}.`,
        context: job.resumable
          ? `Its files are kept (${formatNumber('bytes', job.kept ?? 0, '')}): resumed, the import goes on where it was.`
          : 'Its files are not kept; given again, the import goes on where it was.',
      }
    case 'mapping':
      return {
        sentence: `Say what the columns of ${job.table?.file ?? job.name} are.`,
        context:
          'No system is known that writes such rows. A reward and what tells a task are enough; nothing is imported before you go on.',
      }
    case 'reading':
    case 'replaying':
      return runningVerdict(job)
  }
}

/** Before a file is dropped: what came in so far. */
export function importsVerdict(jobs: readonly ImportJob[], total: number): Said {
  const context =
    'Rollouts become a run in shadow mode whose predictions were made before each group was absorbed; a task set can be scheduled at once. Files stay on this machine.'
  if (total === 0)
    return {
      sentence: 'Nothing was imported yet: drop the history of a run and see how well it would have been predicted.',
      context,
    }
  const rollouts = jobs.reduce((sum, { accepted }) => sum + accepted, 0)
  const runs = new Set(jobs.flatMap(({ run }) => run ?? [])).size
  const failed = jobs.filter(({ state }) => state === 'failed').length
  const whose =
    total > jobs.length
      ? `The newest ${formatFixed(jobs.length, 0)} of ${formatFixed(total, 0)} imports`
      : formatCount(total, 'import')
  const lost = failed === 0 ? '' : `; ${formatFixed(failed, 0)} failed`
  return {
    sentence: `${whose} brought ${formatCount(rollouts, 'rollout')} into ${formatCount(runs, 'run')}${lost}.`,
    context,
  }
}
