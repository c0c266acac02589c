/* Owns the measures before and after an override as a table: both sides, the difference, each with its interval. */
import { Num } from '@/components/ui/num'
import type { EffectMeasure, OverrideEffect } from '@/lib/contract/override-effect'
import type { NumberKind } from '@/lib/view/format'
import { differenceInWords, effectRows, intervalInWords, isShown } from '@/lib/view/override-effect-words'

function Side({ kind, side }: { kind: NumberKind; side: EffectMeasure['before'] }) {
  return (
    <td className="num" title={side === null ? undefined : `${side.groups} counted`}>
      <Num kind={kind} value={side?.value} absent="no group" />
      <span className="why">{intervalInWords(kind, side, false)}</span>
    </td>
  )
}

export function EffectTable({ effect }: { effect: OverrideEffect }) {
  return (
    <table className="tbl min-w-0!" data-rows="two" aria-label={`Before and after ${effect.override.letter}`}>
      <thead>
        <tr>
          <th scope="col">measure</th>
          <th scope="col" className="num">
            before
          </th>
          <th scope="col" className="num">
            after
          </th>
          <th scope="col" className="num">
            difference
          </th>
        </tr>
      </thead>
      <tbody>
        {effectRows(effect).map(({ key, name, kind, computed, measure }) => (
          <tr key={key}>
            <td className="whitespace-normal!">
              <span className="explained" title={computed}>
                {name}
              </span>
            </td>
            <Side kind={kind} side={measure.before} />
            <Side kind={kind} side={measure.after} />
            <td className={`num ${isShown(measure) ? 'font-medium' : 'text-ink-2'}`}>
              {differenceInWords(kind, measure)}
              <span className="why font-normal">
                {measure.difference === null ? '' : intervalInWords(kind, measure.difference, true)}
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
