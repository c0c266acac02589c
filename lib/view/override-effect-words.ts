/**
 * Owns the sentences and rows of the before-and-after view of an override: what moved, by how much, and what that cannot show.
 * Must never know how it is drawn. Invariant: never says that the change caused what followed; what may be nothing is said to be.
 */
import type { EffectMeasure, OverrideEffect } from '@/lib/contract/override-effect'
import { formatCount, formatFixed, type NumberKind } from './format'
import type { TableTwin } from './table-twin'

type MeasureName = keyof OverrideEffect['measures']

export interface EffectRow {
  key: MeasureName
  name: string
  kind: NumberKind
  computed: string
  measure: EffectMeasure
  /** of its batches, one a batch */
  value: (point: OverrideEffect['series'][number]) => number | null
}

/** The measures that apply, the one that the override works on first. */
export function effectRows(effect: OverrideEffect): EffectRow[] {
  const { measures, environment } = effect
  const rows: EffectRow[] = [
    {
      key: 'informativeShare',
      name: 'Informative share',
      kind: 'share',
      computed:
        'Trusted groups of score slots and pins whose rewards are not all equal, over trusted groups; Wilson 95 % interval.',
      measure: measures.informativeShare,
      value: (point) => point.informativeShare,
    },
    {
      key: 'uniformShare',
      name: 'Informative share, uniform slots',
      kind: 'share',
      computed:
        'The same on the slots that are drawn uniformly. No override chooses those, so what moves here is the policy.',
      measure: measures.uniformShare,
      value: (point) => point.uniformShare,
    },
    {
      key: 'predictedVariance',
      name: 'Predicted variance of picks',
      kind: 'variance',
      computed:
        'Mean of what was predicted for score slots and pins before their groups were absorbed; normal 95 % interval.',
      measure: measures.predictedVariance,
      value: (point) => point.predictedVariance,
    },
    {
      key: 'rewardWhole',
      name: 'Reward, whole task set',
      kind: 'reward',
      computed:
        'Mean reward on the uniform slots, which stand for the whole task set; normal 95 % interval over groups.',
      measure: measures.rewardWhole,
      value: (point) => point.rewardWhole,
    },
  ]
  if (measures.picksShare === null || environment === null) return rows
  return [
    {
      key: 'picksShare',
      name: `Picks of ${environment.code}`,
      kind: 'share',
      computed: `Picks of ${environment.name} over all picks of these batches; Wilson 95 % interval.`,
      measure: measures.picksShare,
      value: (point) => point.picksShare,
    },
    ...rows,
  ]
}

/** Unit of a difference: shares differ by points. */
const scaleOf = (kind: NumberKind) => (kind === 'share' ? 100 : 1)
const decimalsOf = (kind: NumberKind) => (kind === 'share' ? 1 : kind === 'variance' ? 3 : 2)

/** "+9.3 points", or the words for none. */
export function differenceInWords(kind: NumberKind, measure: EffectMeasure): string {
  if (measure.difference === null) return 'not yet'
  const text = formatFixed(measure.difference.value * scaleOf(kind), decimalsOf(kind), true)
  return kind === 'share' ? `${text} points` : text
}

/** "−2.0 to 20.6" of a difference or a side; the words for none. */
export function intervalInWords(
  kind: NumberKind,
  interval: { low: number; high: number } | null,
  signed: boolean,
): string {
  if (interval === null) return 'n/a'
  const write = (value: number) => formatFixed(value * scaleOf(kind), decimalsOf(kind), signed)
  return `${write(interval.low)} to ${write(interval.high)}`
}

/** Whether the interval of the difference leaves out zero. */
export function isShown({ difference }: EffectMeasure): boolean {
  return difference !== null && (difference.low > 0 || difference.high < 0)
}

const stretchInWords = ({ from, to }: { from: number; to: number }) =>
  from === to ? `batch ${from}` : `batches ${from} to ${to}`

export function effectVerdict(effect: OverrideEffect): { answer: string; context: string } {
  const { override, before, after } = effect
  const letter = override.letter
  if (after === null) {
    const answer =
      effect.cut === 'newest'
        ? `Not yet: batch ${override.from} is the first that ${letter} holds for, and it is not issued.`
        : `${letter} held for no batch: another change came before batch ${override.from}.`
    return {
      answer,
      context: before === null ? 'There is no batch before it either.' : `Before it: ${stretchInWords(before)}.`,
    }
  }
  if (before === null) {
    return {
      answer: `${letter} held from the first batch on, so there is nothing before it to compare with.`,
      context: `After it: ${stretchInWords(after)}.`,
    }
  }
  const row = effectRows(effect)[0]
  const context = `${capital(stretchInWords(before))} against ${stretchInWords(after)}.`
  if (row === undefined || row.measure.before === null || row.measure.after === null) {
    return { answer: `No trusted group is back on both sides of ${letter} yet.`, context }
  }
  const unit = row.kind === 'share' ? '\u00a0%' : ''
  const write = (value: number) => formatFixed(value * scaleOf(row.kind), decimalsOf(row.kind))
  const moved = `${row.name} ${write(row.measure.before.value)}${unit} before and ${write(row.measure.after.value)}${unit} after ${letter}`
  if (row.measure.difference === null) return { answer: `${moved}; too few to compare yet.`, context }
  const interval = `95\u00a0% interval ${intervalInWords(row.kind, row.measure.difference, true)}`
  return {
    answer: `${moved}: ${differenceInWords(row.kind, row.measure)}${isShown(row.measure) ? '.' : ', which may be nothing.'}`,
    context: `${context} ${interval}${row.kind === 'share' ? ' points' : ''}.`,
  }
}

const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** What the comparison cannot show, one sentence each; the first always holds. */
export function effectLimits(effect: OverrideEffect): string[] {
  const { override, after, asked, cut, measures, overlapping } = effect
  const lines = [
    'It shows what came before and after, not what the change did: nothing else was held still, and the policy improves anyway.',
  ]
  const { uniformShare } = measures
  if (uniformShare.difference !== null) {
    const moved = differenceInWords('share', uniformShare)
    const rest = isShown(uniformShare) ? '' : ', which may be nothing'
    lines.push(
      `On the uniform slots, which no override chooses, the informative share moved ${moved}${rest}: that is the policy.`,
    )
  }
  if (after !== null && after.batches < asked) {
    const why = {
      newest: 'so far',
      ended: `since ${override.letter} ended`,
      replaced: 'since a later change took over its setting',
    }
    lines.push(
      `Only ${formatCount(after.batches, 'batch', 'batches')} after it${cut === null ? '' : ` ${why[cut]}`}: intervals are wide.`,
    )
  }
  lines.push(overlapInWords(overlapping))
  return lines
}

function overlapInWords(overlapping: OverrideEffect['overlapping']): string {
  if (overlapping.length === 0) return 'No other override began or ended in these batches.'
  const named = overlapping
    .slice(0, 4)
    .map(({ letter, author, batch, how, sentence }) => `${letter} ${how} at batch ${batch} (${sentence}, by ${author})`)
  const more = overlapping.length > 4 ? `, and ${overlapping.length - 4} more` : ''
  return `In the same batches ${named.join(', ')}${more}: their part is in these figures, too.`
}

/** Requested, in force and applied, one line each. */
export function appliedRows(effect: OverrideEffect): { name: string; value: string; said: string }[] {
  const { override, requested, effective, applied } = effect
  const isUndo = override.kind === 'lift' || override.kind === 'resume'
  return [
    { name: 'requested', value: requested, said: `by ${override.author}` },
    {
      name: 'in force now',
      value: isUndo ? requested : effective,
      said: override.inForce || isUndo ? '' : override.undoneBy === null ? 'it has ended' : 'it was undone',
    },
    applied === null
      ? { name: 'applied', value: 'not yet', said: `batch ${override.from} is not issued` }
      : {
          name: 'applied',
          value: applied.value,
          said: `batch ${applied.batch}${applied.detail === null ? '' : `: ${applied.detail}`}`,
        },
  ]
}

export function effectTwin(effect: OverrideEffect): TableTwin {
  const { override } = effect
  return {
    name: `before and after ${override.letter}`,
    columns: ['measure', 'side', 'value', 'low', 'high', 'groups'],
    rows: effectRows(effect).flatMap(({ name, measure }) => [
      ...(['before', 'after'] as const).map((side) => {
        const value = measure[side]
        return [name, side, value?.value ?? null, value?.low ?? null, value?.high ?? null, value?.groups ?? null]
      }),
      [
        name,
        'difference',
        measure.difference?.value ?? null,
        measure.difference?.low ?? null,
        measure.difference?.high ?? null,
        null,
      ],
    ]),
  }
}
