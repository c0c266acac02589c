/**
 * The figures of `bench:lm` for people: one row an arm, then the paired differences.
 * Owns: words and columns. Must never know: how they were measured.
 */
import type { Difference, LmReport } from './bench-lm-report'

const shown = (value: number | null | undefined, digits: number) =>
  value === null || value === undefined || !Number.isFinite(value) ? '–' : value.toFixed(digits)

const signed = (value: number) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(4)}`

function columns(cells: string[], widths: readonly number[]): string {
  return cells
    .map((cell, i) => cell.padEnd(widths[i] ?? 0))
    .join('')
    .trimEnd()
}

function differenceOf({ mean, standardError, values }: Difference): string {
  const low = Math.min(...values)
  const high = Math.max(...values)
  return `${signed(mean)} ± ${shown(standardError, 4)} [${signed(low)}, ${signed(high)}]`
}

export function lmTable(report: LmReport): string {
  const { arms, trainer } = report
  const horizons = Object.keys(arms[0]?.areaTo ?? {})
  const widths = [26, 7, ...horizons.map(() => 12), 8, 18, 13, 14, 18, ...horizons.map(() => 14)]
  const head = [
    'arm',
    'seeds',
    ...horizons.map((horizon) => `area to ${horizon}`),
    'end',
    "to uniform's 150",
    'informative',
    'worst tenth',
    'least once-solved',
    ...horizons.map((horizon) => `oracle's ${horizon}`),
  ]
  const rows = arms.map((arm) => [
    arm.arm,
    String(arm.seeds.length),
    ...horizons.map((horizon) => shown(arm.areaTo[horizon], 4)),
    shown(arm.end, 3),
    shown(arm.stepsToUniform150, 0),
    shown(arm.informativeShare, 3),
    shown(arm.worstTenth, 3),
    shown(arm.lowestOnceSolved, 2),
    ...horizons.map((horizon) => shown(arm.oracleShare[horizon], 2)),
  ])
  const paired = arms.flatMap((arm) =>
    Object.entries(arm.against).flatMap(([rival, byHorizon]) =>
      Object.entries(byHorizon).map(
        ([horizon, difference]) => `${arm.arm} − ${rival}, area to ${horizon}: ${differenceOf(difference)}`,
      ),
    ),
  )
  const asking =
    trainer.askSeconds === null ? '' : `, of which a batch takes ${(trainer.askSeconds * 1000).toFixed(0)} ms`
  const checked =
    trainer.groupsChecked === null
      ? []
      : [`The server holds ${trainer.groupsChecked} groups, each as the trainer's own log has it.`]
  return [
    `${trainer.model}; ${trainer.algorithm}; ${trainer.steps} steps of ${report.rolloutsPerStep} rollouts.`,
    `A step takes ${(trainer.secondsAStep * 1000).toFixed(0)} ms${asking}.`,
    ...checked,
    '',
    columns(head, widths),
    ...rows.map((row) => columns(row, widths)),
    '',
    ...paired,
    '',
  ].join('\n')
}
