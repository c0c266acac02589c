/** What an import says: one line while it runs, and what came in and what did not when it has ended. */
import type { ImportJob } from '@/lib/contract/import-job'

const LINES_SHOWN = 8

export function progressLine(job: ImportJob): string {
  const verb = job.state === 'replaying' ? 'Replaying' : 'Reading'
  const of =
    job.total === null ? count(job.done, job.unit) : `${count(job.done, job.unit)} of ${count(job.total, job.unit)}`
  const rate = job.perSecond === null ? '' : `, ${count(Math.round(job.perSecond), job.unit)} a second`
  const left = job.secondsLeft === null ? '' : `, ${Math.ceil(job.secondsLeft)} s left`
  return `${verb} ${job.name}: ${of}${rate}${left}`
}

export function importReport(job: ImportJob, address: string): string {
  const lines = [`${job.name}${job.format === null ? '' : ` (${job.format})`}: ${job.accepted} accepted`]
  for (const [reason, number] of Object.entries(job.untrusted)) {
    lines.push(`  ${number} untrusted: ${reason.replaceAll('_', ' ')}`)
  }
  for (const { reason, count: number, lines: places } of job.skipped) {
    const shown = places.slice(0, LINES_SHOWN).join(', ')
    const more = number > LINES_SHOWN && places.length > 0 ? ', …' : ''
    lines.push(`  ${number} skipped: ${reason}${shown === '' ? '' : ` (line ${shown}${more})`}`)
  }
  if (job.run !== null) lines.push(`Run: ${address}/runs/${job.run}`)
  else if (job.taskSet !== null) lines.push(`Task set: ${job.taskSet}`)
  return `${lines.join('\n')}\n`
}

function count(number: number, unit: ImportJob['unit']): string {
  if (unit !== 'bytes') return `${number.toLocaleString('en')} ${unit}`
  return number < 1_000_000 ? `${(number / 1000).toFixed(0)} kB` : `${(number / 1_000_000).toFixed(1)} MB`
}
