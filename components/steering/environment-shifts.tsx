'use client'
/* Owns picks by environment, current to draft: grey stays, accent comes, hatched accent goes. Two columns, one scale. */
import { EnvTag } from '@/components/ui/env-tag'
import { Panel } from '@/components/ui/panel'
import type { Preview } from '@/lib/contract/steering'
import { formatFixed } from '@/lib/view/format'
import { byEnvironmentTwin } from '@/lib/view/steering-twin'

const MOST = 20

type Shift = Preview['byEnvironment'][number]

function ShiftRow({ shift, top }: { shift: Shift; top: number }) {
  const { environment, now, draft } = shift
  const part = (picks: number) => `${(picks / top) * 100}%`
  return (
    <tr>
      <td className="w-[52px]">
        <EnvTag environment={environment} />
      </td>
      <td>
        <div className="shift" aria-hidden="true">
          <i style={{ width: part(Math.min(now, draft)) }} />
          {now !== draft && (
            <b
              data-down={draft < now ? '' : undefined}
              style={{ left: part(Math.min(now, draft)), width: part(Math.abs(draft - now)) }}
            />
          )}
        </div>
      </td>
      <td className="num w-[64px]">
        {formatFixed(now, 0)} <span className="unit">to</span> {formatFixed(draft, 0)}
      </td>
      <td className={`num w-[30px] ${now === draft ? 'text-ink-3' : 'font-medium'}`}>
        {formatFixed(draft - now, 0, true)}
      </td>
    </tr>
  )
}

/** All when they fit; else those that change, then those with most picks. */
function shownShifts(all: readonly Shift[]): readonly Shift[] {
  if (all.length <= MOST) return all
  const keep = new Set(
    [...all]
      .sort((a, b) => Math.abs(b.draft - b.now) - Math.abs(a.draft - a.now) || b.now - a.now)
      .slice(0, MOST)
      .map(({ environment }) => environment.id),
  )
  return all.filter(({ environment }) => keep.has(environment.id))
}

export function EnvironmentShifts({ preview }: { preview: Preview }) {
  const shifts = shownShifts(preview.byEnvironment)
  const top = Math.max(1, ...shifts.flatMap(({ now, draft }) => [now, draft]))
  const half = Math.ceil(shifts.length / 2)
  const hidden = preview.byEnvironment.length - shifts.length
  return (
    <Panel title="Picks by environment" sub="current to draft" twin={byEnvironmentTwin(preview)} twinHeight={160}>
      <div className="moves">
        {[shifts.slice(0, half), shifts.slice(half)].map((side, i) => (
          <table key={i === 0 ? 'left' : 'right'} className="tbl compact" aria-label="Picks by environment">
            <tbody>
              {side.map((shift) => (
                <ShiftRow key={shift.environment.id} shift={shift} top={top} />
              ))}
            </tbody>
          </table>
        ))}
      </div>
      {hidden > 0 && (
        <p className="mt-1 text-12 text-ink-3">{formatFixed(hidden, 0)} more do not change or have few picks.</p>
      )}
    </Panel>
  )
}
