/* Owns the expected informative share of the next batch without and with the draft, one above the other on one scale, each with its interval. */
import { Num } from '@/components/ui/num'
import { Panel } from '@/components/ui/panel'
import type { Preview } from '@/lib/contract/steering'
import { formatFixed } from '@/lib/view/format'
import { expectedTwin } from '@/lib/view/steering-twin'
import { expectedRows, sizesSentence } from '@/lib/view/steering-words'

const COMPUTED =
  "Sum of each pick's predicted probability that its group is informative, over the picks. The interval is what chance alone does to so many groups (Wilson, 95 %)."

export function ExpectedPanel({ preview }: { preview: Preview }) {
  const sizes = sizesSentence(preview)
  return (
    <Panel title="Expected informative share" sub="draft beside current, 95 % intervals" twin={expectedTwin(preview)}>
      <table className="tbl compact" aria-label="Expected informative share">
        <tbody>
          {expectedRows(preview).map(({ name, share, low, high, groups }) => (
            <tr key={name}>
              <td className="w-[64px]">{name}</td>
              <td>
                <div className="expected" aria-hidden="true" data-draft={name === 'draft' ? '' : undefined}>
                  <b style={{ left: `${low * 100}%`, width: `${(high - low) * 100}%` }} />
                  <i style={{ left: `${share * 100}%` }} />
                </div>
              </td>
              <td className="num w-[64px] font-medium" title={COMPUTED}>
                <Num kind="share" value={share} absent="n/a" />
              </td>
              <td className="num w-[84px] text-ink-2">
                {formatFixed(low * 100, 0)} to {formatFixed(high * 100, 0)}
                <span className="unit"> %</span>
              </td>
              <td className="num hide-phone w-[96px] text-ink-2">{formatFixed(groups, 1)} groups</td>
            </tr>
          ))}
        </tbody>
      </table>
      {sizes !== null && <p className="mt-2 text-12 text-ink-2">{sizes}</p>}
    </Panel>
  )
}
