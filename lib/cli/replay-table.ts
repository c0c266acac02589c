/**
 * The replay report as people read it: one block a source. Owns: the words and columns; the figures are the report's.
 */
import type { ReplaySourceReport } from '@/lib/testbed/replay/replay-report'
import type { Difference } from '@/lib/testbed/training-report'

export const share = (value: number | null | undefined): string =>
  value === null || value === undefined ? 'n/a' : value.toFixed(3)

const signed = (difference: Difference | null): string => {
  if (difference === null) return ''
  const { mean, standardError } = difference
  return `${mean >= 0 ? '+' : ''}${mean.toFixed(3)}${standardError === null ? '' : ` ± ${standardError.toFixed(3)}`}`
}

function armRows(report: ReplaySourceReport): string[] {
  const head = `${'arm'.padEnd(26)}informative     variance  gain    scored  uniform  envs  tasks  - uniform        - env-then-task`
  const rows = report.arms.map((arm) =>
    [
      arm.arm.padEnd(26),
      `${share(arm.informativeShare)} ± ${share(arm.standardError)}`.padEnd(16),
      arm.meanVariance.toFixed(4).padEnd(10),
      (arm.normalisedGain === null ? 'n/a' : arm.normalisedGain.toFixed(2)).padEnd(8),
      (arm.scoreSlots === null ? '' : share(arm.scoreSlots)).padEnd(8),
      (arm.uniformSlots === null ? '' : share(arm.uniformSlots)).padEnd(9),
      arm.environmentsSeen.toFixed(0).padEnd(6),
      arm.tasksSeen.toFixed(0).padEnd(7),
      signed(arm.againstUniform).padEnd(17),
      signed(arm.againstEnvThenTask),
    ]
      .join('')
      .trimEnd(),
  )
  return [head, ...rows]
}

function predictionRows({ prediction, shadows }: ReplaySourceReport): string[] {
  if (prediction === null) return []
  const { ceiling, ceilingMethod, againstShadows } = prediction
  const head =
    `Forecasts of uniformly drawn groups before they were told; ceiling of the rank correlation ${share(ceiling)}` +
    `${ceilingMethod === null ? '' : ` (${ceilingMethod})`}.`
  const columns = `${'predictor'.padEnd(26)}spearman  of ceiling  auc     log loss  error   envsched less it`
  const rows = [['envsched', prediction] as const, ...Object.entries(shadows)].map(([name, score]) =>
    [
      name.padEnd(26),
      share(score.spearman).padEnd(10),
      share(score.shareOfCeiling).padEnd(12),
      share(score.auc).padEnd(8),
      share(score.logLoss).padEnd(10),
      share(score.meanAbsoluteError).padEnd(8),
      signed(againstShadows[name] ?? null),
    ]
      .join('')
      .trimEnd(),
  )
  return ['', head, columns, ...rows]
}

function verdictRow({ verdict, eligible }: ReplaySourceReport): string[] {
  if (verdict === null) return []
  const { notBehind, ahead, gainOverUniform, averageGainOverUniform } = verdict
  const place = ahead ? 'ahead of' : notBehind ? 'not behind' : 'behind'
  const ratio =
    averageGainOverUniform > 0
      ? `, ${(gainOverUniform / averageGainOverUniform).toFixed(2)} times its gain over uniform`
      : ''
  return [
    `EnvSched is ${place} the environment-then-task average by two standard errors${ratio}${eligible ? '' : '; not judged here'}.`,
  ]
}

export function replayTable(report: ReplaySourceReport): string {
  const { source, tasks, environments, ladder, repeatedGroups, leftOut, groupSize, steps, picks, seeds } = report
  const first = `${source}: ${tasks} tasks, ${environments} environments, ${ladder.length} rungs, ${repeatedGroups} repeated groups of ${groupSize}`
  const out = `left out: ${leftOut.failed} failed, ${leftOut.noReward} without reward, ${leftOut.repeated} given twice`
  if (ladder.length === 0) return `${first}; ${out}.\nNot replayed: ${report.why ?? 'no model has groups enough.'}\n`
  const structure = [report.hasTools ? 'tools' : '', ...report.declaredFields].filter((name) => name !== '').join(', ')
  return [
    `${first}; ${out}.`,
    `${steps} steps of ${picks} picks, ${seeds.length} seeds; structure: ${structure === '' ? 'none' : structure}.${report.why === null ? '' : ` Not eligible: ${report.why}`}`,
    '',
    ...armRows(report),
    ...predictionRows(report),
    ...verdictRow(report),
    '',
  ].join('\n')
}
