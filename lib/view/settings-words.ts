/* Owns the words of Settings: what a kind of data is, what a rule keeps, what goes and what stays, what revoking a token does. */
import type { DiskKind, DiskUse } from '@/lib/contract/disk'
import { EXPORT_NAMES, type ExportFile, type ExportName } from '@/lib/contract/export'
import { KEEP_TEXT, type KeepRule } from '@/lib/contract/keep'
import type { RunStatus } from '@/lib/contract/run'
import type { TokenRow } from '@/lib/contract/token'
import { formatBytes } from './bytes'
import { formatCount, formatSpan, formatTime } from './format'

export const KIND_WORDS: Record<DiskKind, string> = {
  text: 'Trajectory text',
  rollouts: 'Rollouts, numbers only',
  predictions: 'Predictions and picks',
  graph: 'Graph',
  history: 'History and log',
}

/** What a kind of data is made of. */
export function kindDetail(kind: DiskKind, { counts }: DiskUse): string {
  switch (kind) {
    case 'text':
      return formatCount(counts.texts, 'rollout')
    case 'rollouts':
      return `${formatCount(counts.rollouts, 'rollout')}, rewards to tools`
    case 'predictions':
      return `${formatCount(counts.predictions, 'prediction')}, ${formatCount(counts.picks, 'pick')}`
    case 'graph': {
      const shared = counts.otherRuns === 0 ? '' : `, shared by ${formatCount(counts.otherRuns + 1, 'run')}`
      return `${formatCount(counts.tasks, 'task')}, ${formatCount(counts.edges, 'edge')}${shared}`
    }
    case 'history':
      return `${formatCount(counts.overrides, 'override')}, ${formatCount(counts.entries, 'log entry', 'log entries')}`
  }
}

export const EXPORT_WORDS: Record<ExportName, string> = {
  archive: 'The whole run, to be imported again',
  rollouts: 'Rollouts',
  picks: 'Picks with decision records',
  predictions: 'Predictions and outcomes',
  batches: 'Batches',
  environments: 'Environments',
  tasks: 'Tasks with predictions',
  scores: "The trainer's own scores",
  alarms: 'Alarms',
  graph: 'Graph with positions',
  steering: 'Steering history',
  audit: 'Who did what',
}

const FORMAT_WORDS: Record<string, string> = {
  'jsonl.gz': 'JSONL.gz',
  jsonl: 'JSONL',
  csv: 'CSV',
  gexf: 'GEXF',
  parquet: 'Parquet',
  zip: 'ZIP',
}

export const formatWord = (format: string) => FORMAT_WORDS[format] ?? format

/** "1,204 rows, about 3 MB or 1 MB": the sizes that are known before a file is written. */
export function exportSizes(files: readonly ExportFile[]): string {
  const [first] = files
  if (first === undefined) return ''
  if (first.name === 'archive') return 'every row of it in one file'
  if (first.rows === 0) return 'none yet'
  const sizes = files.flatMap(({ bytes }) => (bytes === null ? [] : [formatBytes(bytes, 'n/a')]))
  const rows = first.rows === null ? [] : [formatCount(first.rows, 'row')]
  return [...rows, ...(sizes.length === 0 ? [] : [`about ${sizes.join(' or ')}`])].join(', ') || 'what there is now'
}

export const EXPORT_ORDER = EXPORT_NAMES

export const sameRule = (a: KeepRule, b: KeepRule) =>
  a.text === b.text &&
  // what does not act in either does not differ
  (a.text === 'all' ||
    (a.failures === b.failures && a.errors === b.errors && (a.text === 'none' || a.newest === b.newest)))

/** "Keep newest 32": what the button does. */
export function keepWords(rule: KeepRule): string {
  if (rule.text === 'all') return 'Keep all'
  return rule.text === 'none' ? 'Keep none' : `Keep newest ${rule.newest}`
}

/** The rule in the address: "newest-32-fe". */
export function encodeRule(rule: KeepRule): string {
  return [rule.text, rule.newest, `${rule.failures ? 'f' : ''}${rule.errors ? 'e' : ''}`].join('-')
}

/** null where the address holds no rule. */
export function decodeRule(text: string | null): KeepRule | null {
  const match = /^(\w+)-(\d{1,9})-(f?)(e?)$/.exec(text ?? '')
  const kept = KEEP_TEXT.find((word) => word === match?.[1])
  const newest = Number(match?.[2])
  if (match === null || kept === undefined || newest < 1) return null
  return { text: kept, newest, failures: match[3] === 'f', errors: match[4] === 'e' }
}

/** What a trainer does when its run is deleted. */
export function trainerWords(status: RunStatus): string | null {
  if (status === 'finished' || status === 'failed') return null
  const then = 'with envsched.py it goes on with tasks drawn uniformly, and its reports are kept nowhere.'
  if (status === 'waiting') return 'No trainer has reported yet; one that starts with its key makes a new run.'
  return status === 'live' ? `A trainer is connected: ${then}` : `If its trainer comes back: ${then}`
}

/** What goes with a run, and what stays. */
export function deletionWords(disk: DiskUse, taskSet: string): { goes: string; stays: string } {
  const { counts } = disk
  const parts = [
    formatCount(counts.rollouts, 'rollout'),
    formatCount(counts.batches, 'batch', 'batches'),
    formatCount(counts.picks, 'pick'),
    formatCount(counts.predictions, 'prediction'),
    formatCount(counts.overrides, 'override'),
  ]
  const others = counts.otherRuns
  const use =
    others === 0 ? 'no other run uses it' : `${formatCount(others, 'other run')} ${others === 1 ? 'uses' : 'use'} it`
  return { goes: `${parts.join(', ')}.`, stays: `The task set ${taskSet} stays; ${use}.` }
}

/** What is still missing of a name that must be typed whole: null when it is, else how to go on. */
export function typedHint(typed: string, name: string): string | null {
  if (typed === name) return null
  const left = [...name].length - [...typed].length
  if (name.startsWith(typed) && left > 0) return `${formatCount(left, 'more character')}.`
  return 'This is not its name.'
}

/** What follows from revoking a token, a sentence each, the worst first. */
export function revokeWords(token: TokenRow, now: number | null): string[] {
  const words: string[] = []
  if (token.lastToOperate)
    words.push(
      'It is the last token that may operate: without it nobody can steer, delete or make tokens. Make another one first.',
    )
  if (token.startUp)
    words.push(
      'It is the token in the address that the server prints at its start: that address no longer opens it, after a restart either. For a new one, stop the server, delete the file start-token in its data folder or set another ENVSCHED_TOKEN, and start it again.',
    )
  if (token.yours) words.push('This browser is signed in with it: its pages stop answering at once.')
  const used = token.lastUsedAt === null ? Number.NaN : Date.parse(token.lastUsedAt)
  if (!token.yours && token.scope !== 'view' && now !== null && now - used < 600_000)
    words.push(
      `It was used ${formatSpan((now - used) / 1000)} ago: a trainer that works with it is refused from its next call on.`,
    )
  if (words.length === 0) words.push('Whoever uses it is refused from the next call on.')
  return words
}

/** "27 Nov", with the time left out. */
export const formatDay = (iso: string | null, absent: string) => formatTime(iso, absent).replace(/ \d\d:\d\d$/, '')
