/** What an import says: one line while it runs, and what came in and what did not when it has ended. */
import { ARCHIVE_FORMAT } from '@/lib/contract/archive'
import type { ImportTable } from '@/lib/contract/column-mapping'
import type { ImportJob } from '@/lib/contract/import-job'
import type { TaskSetSummary } from '@/lib/contract/task-set'

export interface ImportOutcome {
  job: ImportJob
  /** null where no task set came of it */
  taskSet: TaskSetSummary | null
}

const LINES_SHOWN = 8

export function progressLine(job: ImportJob): string {
  const verb = job.state === 'replaying' ? 'Replaying' : job.format === ARCHIVE_FORMAT ? 'Storing' : 'Reading'
  const done = job.total === null ? amount(job.done, job.unit) : ofTotal(job.done, job.total, job.unit)
  const rate = job.perSecond === null ? '' : `, ${amount(Math.round(job.perSecond), job.unit)} a second`
  const left = job.secondsLeft === null ? '' : `, ${Math.ceil(job.secondsLeft)} s left`
  return `${verb} ${job.name}: ${done}${rate}${left}`
}

const REASONS: Record<string, string> = {
  status: 'failed outside the policy (infrastructure, verifier, cancelled)',
  reward_missing: 'without a reward',
  reward_invalid: 'with a reward that is no finite number',
  out_of_range: 'with a reward outside the declared range',
}

/** What to say of columns that nobody knows: what they hold, and how to name them. */
export function columnsSentence({ file, columns, guess }: ImportTable): string {
  const shown = columns
    .slice(0, 30)
    .map(({ name, examples: [first] }) => `${name}${first === undefined ? '' : ` (${first})`}`)
  const flags = Object.entries(guess).map(([word, from]) => `--map ${quoted(`${word}=${from}`)}`)
  for (const [word, column] of NEEDED) if (!(word in guess)) flags.push(`--map ${word}=${column}`)
  return `No system is known that writes rows as in ${file}. Say what its columns are, for example:
  ${flags.join(' ')}
Columns: ${shown.join(', ')}${columns.length > shown.length ? ', …' : ''}`
}

/** What a table needs most, where nothing in it tells which column that is. */
const NEEDED = [
  ['task', 'COLUMN'],
  ['reward', 'COLUMN'],
] as const

function quoted(text: string): string {
  return /^[\w=.:/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

/** `address` is the server's, or null where none is live: then ids stand for links. */
export function importReport({ job, taskSet }: ImportOutcome, address: string | null): string {
  const lines = [`${job.name}${job.format === null ? '' : ` (${job.format})`}`]
  if (taskSet !== null) {
    const { tasks, environments, tools } = taskSet
    lines.push(`  ${count(tasks, 'task')} in ${count(environments, 'environment')} with ${count(tools, 'tool')}`)
  }
  if (job.run !== null) {
    const before = job.duplicates === 0 ? '' : `, ${whole(job.duplicates)} were there before`
    lines.push(`  ${count(job.accepted, 'rollout')} accepted${before}`)
  }
  for (const [reason, number] of Object.entries(job.untrusted)) {
    lines.push(`  ${whole(number)} of them untrusted: ${REASONS[reason] ?? reason.replaceAll('_', ' ')}`)
  }
  const several = (job.source?.files.length ?? 1) > 1
  for (const skip of job.skipped)
    lines.push(
      `  ${whole(skip.count)} ${skip.needless === true ? 'not needed' : 'skipped'}: ${skip.reason}${placesOf(skip, several)}`,
    )
  if (job.run !== null) lines.push(address === null ? `Run: ${job.run}` : `Run: ${address}/runs/${job.run}`)
  else if (job.taskSet !== null) lines.push(`Task set: ${job.taskSet}`, nextStep(job.taskSet, address))
  return `${lines.join('\n')}\n`
}

/** The first places; the file is named where there are several, or where it is meant as a whole. */
function placesOf({ count: number, lines, file, files }: ImportJob['skipped'][number], several: boolean): string {
  const shown = lines.slice(0, LINES_SHOWN).join(', ')
  const named = several || shown === '' ? file : ''
  const words = [named, shown === '' ? '' : `line ${shown}`].filter((word) => word !== '').join(' ')
  const more = number > Math.max(1, Math.min(LINES_SHOWN, lines.length)) ? ', …' : ''
  return words === '' ? '' : ` (${words}${more}${files > 1 ? ` in ${whole(files)} files` : ''})`
}

function nextStep(taskSet: string, address: string | null): string {
  const page = address === null ? 'the Runs page after npm run envsched -- start' : `${address}/`
  return `Start a run on it with the button on ${page}, or in a trainer with client.start_run("${taskSet}", name="my run").`
}

function count(number: number, one: string): string {
  return `${whole(number)} ${one}${number === 1 ? '' : 's'}`
}

function whole(number: number): string {
  return number.toLocaleString('en')
}

function ofTotal(done: number, total: number, unit: ImportJob['unit']): string {
  const from = unit === 'bytes' ? amount(done, unit) : whole(done)
  return `${from} of ${amount(total, unit)}`
}

function amount(number: number, unit: ImportJob['unit']): string {
  if (unit !== 'bytes') return `${whole(number)} ${unit}`
  return number < 1_000_000 ? `${(number / 1000).toFixed(0)} kB` : `${(number / 1_000_000).toFixed(1)} MB`
}
