/**
 * What bench:page prints: one table of pages and one of acts a size, with "miss" beside what is over its limit.
 * Owns: the limits and the words. Must never know: how anything was measured. Invariant: what was not measured is "n/a", never 0.
 */
import { LEAST_TOLD_MS } from './bench-page-browser'
import type { PageFigures } from './bench-page-visit'

/** Where a figure is a miss. */
export const LIMITS = {
  /** "each page answers its question in two seconds" */
  answerMs: 2000,
  layoutShift: 0.02,
  actMs: 200,
  previewMs: 1000,
  tickKilobytes: 20,
  hiddenCalls: 0,
  /** rows of a table in the document: a hundred stand whole, more are windowed */
  rows: 120,
}

export interface SizeReport {
  size: string
  tasks: number
  batches: number
  /** of the first read that needs the run's state, after a start of the server */
  coldMs: number
  pages: PageFigures[]
}

export interface PageReport {
  machine: { cores: number; model: string | null; node: string; loadBefore: number | null; loadAfter: number | null }
  limits: typeof LIMITS
  sizes: SizeReport[]
}

/** The figure in its words, "miss" behind it where it is over the limit. */
function judged(value: number | null, most: number, digits: number): string {
  if (value === null) return 'n/a'
  return `${value.toFixed(digits)}${value > most ? ' miss' : ''}`
}

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`

function pagesTable({ pages }: SizeReport): string {
  const heads = [
    'page',
    'JS kB',
    'data kB',
    'all kB',
    'answer s',
    'shift',
    'tick kB',
    'hidden requests',
    'rows',
    'thrown',
  ]
  const lines = pages.map((one) => {
    if (one.error !== null) return row([one.page, `error: ${one.error}`, ...heads.slice(2).map(() => '')])
    const seconds = one.answerMs === null ? null : one.answerMs / 1000
    return row([
      one.page,
      one.kilobytes?.script.toFixed(0) ?? 'n/a',
      one.kilobytes?.data.toFixed(0) ?? 'n/a',
      one.kilobytes?.total.toFixed(0) ?? 'n/a',
      judged(seconds, LIMITS.answerMs / 1000, 2),
      judged(one.layoutShift, LIMITS.layoutShift, 3),
      judged(one.tickKilobytes, LIMITS.tickKilobytes, 1),
      judged(one.hiddenCalls, LIMITS.hiddenCalls, 0),
      judged(one.rows, LIMITS.rows, 0),
      String(one.thrown.length),
    ])
  })
  return row(heads) + row(heads.map((_, k) => (k === 0 ? '---' : '--:'))) + lines.join('')
}

function told(ms: number | null): string {
  if (ms !== null && ms < LEAST_TOLD_MS) return `<${LEAST_TOLD_MS}`
  return judged(ms, LIMITS.actMs, 0)
}

function actsTable({ pages }: SizeReport): string {
  const heads = ['page', 'act', 'to the next paint, ms', 'to its answer, s']
  const lines = pages.flatMap(({ page, acts }) =>
    acts
      .filter(({ ms }) => ms !== null)
      .map(({ name, ms, answered = null }) => {
        const most = name === 'preview of a draft' ? LIMITS.previewMs : LIMITS.answerMs
        return row([page, name, told(ms), answered === null ? '' : judged(answered / 1000, most / 1000, 2)])
      }),
  )
  return row(heads) + row(['---', '---', '--:', '--:']) + lines.join('')
}

export function pageTable({ machine, sizes }: PageReport): string {
  const { cores, model, node, loadBefore, loadAfter } = machine
  const load = [loadBefore, loadAfter].map((one) => one?.toFixed(1) ?? 'n/a').join(' to ')
  const about = `${cores} cores (${model ?? 'unknown'}), Node ${node}, load ${load}. Kilobytes are of 1,000 bytes, as sent; times without a network.\n`
  const bodies = sizes.map(
    (size) =>
      `\n## ${size.size}: ${size.tasks.toLocaleString('en')} tasks, ${size.batches.toLocaleString('en')} batches\n\n` +
      `First read of the run's state after a start: ${(size.coldMs / 1000).toFixed(1)} s.\n\n${pagesTable(size)}\n${actsTable(size)}`,
  )
  return about + bodies.join('')
}
