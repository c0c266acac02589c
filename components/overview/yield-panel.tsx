/* Owns the funnel from what was asked to what teaches: asked, returned, trusted, informative; and where the rest went. */
import { Panel } from '@/components/ui/panel'
import { NotYetState } from '@/components/ui/panel-state'
import type { Overview } from '@/lib/contract/overview'
import { formatCount, formatFixed, formatNumber } from '@/lib/view/format'
import { yieldTwin } from '@/lib/view/overview-twins'
import { askedWords, leftOutWords, uninformativeWords } from '@/lib/view/yield-words'

interface Stage {
  name: string
  count: number
  of: number | null
  note: string
}

function stages(sums: Overview['yield']): Stage[] {
  const lost = [
    sums.expired > 0 ? `${formatCount(sums.expired, 'lease')} expired` : null,
    sums.released > 0 ? `${formatFixed(sums.released, 0)} released` : null,
  ].filter((part) => part !== null)
  const out = sums.asked - sums.returned - sums.expired - sums.released
  if (out > 0) lost.push(`${formatFixed(out, 0)} still out`)
  return [
    {
      name: 'Asked',
      count: sums.asked,
      of: null,
      note: askedWords(sums),
    },
    {
      name: 'Returned',
      count: sums.returned,
      of: sums.asked,
      note: lost.length > 0 ? lost.join(', ') : 'all came back',
    },
    { name: 'Trusted', count: sums.trusted, of: sums.returned, note: leftOutWords(sums) },
    {
      name: 'Informative',
      count: sums.informative,
      of: sums.trusted,
      note: uninformativeWords(sums),
    },
  ]
}

export function YieldPanel({ run, overview }: { run: string; overview: Overview }) {
  const sums = overview.yield
  return (
    <Panel
      span={4}
      title="Yield"
      sub={sums.batches === 1 ? 'all slots, last batch' : `all slots, last ${formatFixed(sums.batches, 0)} batches`}
      twin={yieldTwin(overview)}
      api={`/runs/${run}/overview`}
      twinHeight={226}
    >
      {sums.asked === 0 ? (
        <NotYetState height={226}>
          {overview.batch === 0
            ? 'No batch has been asked for. The trainer asks with its first step.'
            : 'No group has come back. Under shares the trainer chooses its tasks, and groups count as they are reported.'}
        </NotYetState>
      ) : (
        <table className="tbl" aria-label="Yield">
          <tbody>
            {stages(sums).map((stage, i) => (
              <tr key={stage.name}>
                <td className={`w-[88px] pt-[7px]! align-top! ${i === 3 ? 'font-semibold' : ''}`}>{stage.name}</td>
                <td className="pt-2! align-top!">
                  <div
                    className="bar mt-[3px] mb-1"
                    data-ref={i === 3 ? undefined : ''}
                    style={{ width: `${(stage.count / sums.asked) * 100}%` }}
                  />
                  <span className="text-12 text-ink-3">{stage.note}</span>
                </td>
                <td className="num w-[52px] pt-[7px]! align-top!">
                  <span className={i === 3 ? 'font-semibold' : ''}>{formatFixed(stage.count, 0)}</span>
                  <br />
                  <span className="text-12 text-ink-3">
                    {stage.of !== null && stage.of > 0 ? formatNumber('share', stage.count / stage.of, 'n/a') : ''}
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  )
}
