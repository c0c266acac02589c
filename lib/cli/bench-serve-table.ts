/** The measurements of the server as a table for people. Owns: the report's shape and its words. Pure. */
import type { Figure } from './bench-serve-figures'
import type { PageWeight } from './bench-serve-pages'

export interface ServeReport {
  plan: {
    batches: number
    size: number
    groupSize: number
    world: string
    seed: number
    environments: number
    tasks: number
  }
  machine: {
    cores: number
    model: string | null
    node: string
    /** processes that wanted a core, over the last minute */
    loadBefore: number | null
    loadAfter: number | null
  }
  /** p50 of /healthz before the load, milliseconds: the unit of the ratios */
  referenceMs: number | null
  registerMs: number
  seconds: number
  rollouts: number
  writes: Figure[]
  reads: Figure[]
  /** last answer's bytes by endpoint, unpacked */
  readBytes: Record<string, number>
  /** resident megabytes of the server */
  memory: { start: number | null; end: number | null; most: number | null }
  databaseBytesARollout: number
  /** kilobytes over the line */
  pages: PageWeight[]
}

const shown = (value: number | null, digits: number) => (value === null ? '-' : value.toFixed(digits))
const right = (value: number | null, width: number, digits: number) => shown(value, digits).padStart(width)

function timings(title: string, figures: readonly Figure[], bytes: Record<string, number>): string[] {
  return [
    `${title.padEnd(16)}   count    p50 ms    p99 ms   most ms     ratio        kB`,
    ...figures.map(({ name, count, p50, p99, most, ratio }) => {
      const size = bytes[name]
      const kilo = size === undefined ? null : size / 1000
      return [
        name.padEnd(16),
        String(count).padStart(8),
        right(p50, 10, 1),
        right(p99, 10, 1),
        right(most, 10, 1),
        right(ratio, 10, 1),
        right(kilo, 10, 1),
      ].join('')
    }),
    '',
  ]
}

export function tableOf(report: ServeReport): string {
  const { plan, machine, memory } = report
  return [
    `${plan.environments} environments, ${plan.tasks} tasks (${plan.world}, seed ${plan.seed}); ${plan.batches} batches of ` +
      `${plan.size} x ${plan.groupSize}, ${report.rollouts} rollouts in ${report.seconds.toFixed(1)} s.`,
    `${machine.cores} cores (${machine.model ?? 'unknown'}), Node ${machine.node}, load ${shown(machine.loadBefore, 1)} ` +
      `before and ${shown(machine.loadAfter, 1)} after. Ratios are p50 over ${shown(report.referenceMs, 2)} ms, /healthz when idle.`,
    '',
    ...timings('writes', report.writes, {}),
    ...timings('reads', report.reads, report.readBytes),
    `registering the task set   ${report.registerMs.toFixed(0)} ms`,
    `server memory              ${shown(memory.start, 0)} MB before, ${shown(memory.end, 0)} MB after, ${shown(memory.most, 0)} MB at most`,
    `database                   ${report.databaseBytesARollout.toFixed(0)} bytes a rollout, decisions and journal included`,
    '',
    `${'first load, kB'.padEnd(16)}    html   scripts    styles     fonts     total`,
    ...report.pages.map(
      ({ page, html, scripts, styles, fonts, total }) =>
        page.padEnd(16) +
        [html, scripts, styles, fonts, total].map((value, k) => right(value, k === 0 ? 8 : 10, 1)).join(''),
    ),
    '',
  ].join('\n')
}
