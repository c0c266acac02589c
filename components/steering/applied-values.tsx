/* Owns what was asked for, what rules now and what the first batch was chosen with, in three lines. */
import type { OverrideEffect } from '@/lib/contract/override-effect'
import { appliedRows } from '@/lib/view/override-effect-words'

export function AppliedValues({ effect }: { effect: OverrideEffect }) {
  return (
    <dl className="facts text-12" aria-label={`${effect.override.letter}: requested, in force, applied`}>
      {appliedRows(effect).map(({ name, value, said }) => (
        <div key={name} className="contents">
          <dt>{name}</dt>
          <dd className="wrap-anywhere leading-[20px]">
            <b className="font-medium">{value}</b>
            {said !== '' && <span className="text-ink-3">, {said}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
