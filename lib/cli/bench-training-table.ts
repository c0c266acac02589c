/**
 * A world's training report as a table for people on a terminal.
 * Owns: columns and their words. Must never know: how the numbers came about.
 */
import type { ArmReport, Difference, WorldReport } from '@/lib/testbed/training-report'

const shown = (value: number | null, digits: number) => (value === null ? 'never' : value.toFixed(digits))

/** A difference with its standard error, and + or - where it is more than two of them. */
function gap(difference: Difference | undefined, digits: number): string {
  if (difference === undefined) return ''
  const { mean, standardError, verdict } = difference
  const error = standardError === null ? '' : ` ± ${standardError.toFixed(digits)}`
  return `${mean.toFixed(digits)}${error}${verdict === 'ahead' ? ' +' : verdict === 'behind' ? ' -' : ''}`
}

type Column = [head: string, width: number, of: (arm: ArmReport) => string]

const COLUMNS: readonly Column[] = [
  ['arm', 27, (arm) => arm.arm],
  [
    'steps [low-high]',
    20,
    ({ stepsToTarget: { median, low, high } }) => `${shown(median, 0)} [${shown(low, 0)}-${shown(high, 0)}]`,
  ],
  [
    'mean steps',
    14,
    ({ stepsToTarget: { mean, standardError } }) =>
      `${mean.toFixed(1)}${standardError === null ? '' : ` ± ${standardError.toFixed(1)}`}`,
  ],
  ['ratio', 7, (arm) => (arm.ratioToUniform === null ? '' : arm.ratioToUniform.toFixed(2))],
  [
    'scores',
    18,
    (arm) =>
      Object.values(arm.scoreAt)
        .map((score) => score.toFixed(3))
        .join(' '),
  ],
  ['informative', 13, (arm) => arm.informativeShare.toFixed(3)],
  ['area - uniform', 20, (arm) => gap(arm.againstUniform?.area, 4)],
  ['worst tenth', 13, (arm) => arm.worstEnvironment.toFixed(3)],
  ['- uniform', 19, (arm) => gap(arm.againstUniform?.worstEnvironment, 3)],
  ['kept', 7, (arm) => (arm.lowestOnceSolved === null ? 'none' : arm.lowestOnceSolved.toFixed(2))],
  ['rollouts took', 15, (arm) => (arm.rolloutSeconds === null ? '' : `${(arm.rolloutSeconds / 1000).toFixed(1)} ks`)],
  ['seconds', 8, (arm) => arm.secondsPerTraining.toFixed(2)],
]

function comparison(report: WorldReport): string[] {
  const found = report.arms.find(({ arm }) => arm === 'envsched')?.againstBestBaseline
  if (found === undefined || found === null) return []
  const verdict = found.area.verdict ?? 'one seed cannot say'
  return [
    `envsched against ${found.arm}, the best baseline in area: area ${gap(found.area, 4)}, steps ${gap(found.steps, 1)}, ` +
      `worst tenth ${gap(found.worstEnvironment, 3)}; in area: ${verdict}.`,
  ]
}

export function table(report: WorldReport): string {
  const stages = report.stages === 'single' ? 'single-stage groups' : `groups of ${report.stages.join(' + ')}`
  const seeds = report.seeds.length === 1 ? 'seed' : 'seeds'
  const row = (cell: (column: Column) => string) =>
    COLUMNS.map((column) => cell(column).padEnd(column[1]))
      .join('')
      .trimEnd()
  return [
    `World ${report.name}: target ${report.target.toFixed(3)} (best of ${report.steps} uniform single-stage steps), ` +
      `${report.seeds.length} ${seeds} from ${report.seeds[0]}, ${stages}, rate ${report.learningRate}.`,
    `Uniform choice with full groups: informative share ${report.uniformInformativeShare.toFixed(3)}. Scores at ${Object.keys(
      report.arms[0]?.scoreAt ?? {},
    ).join(
      ', ',
    )}; kept: lowest share of its peak of a once solved environment; + and -: by more than two standard errors.`,
    '',
    row(([head]) => head),
    ...report.arms.map((arm) => row(([, , of]) => of(arm))),
    ...comparison(report),
    '',
  ].join('\n')
}
