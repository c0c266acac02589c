'use client'
/* Owns the quota use when the batch was chosen: a meter an environment, and its picks in this batch. */
import { EnvTag } from '@/components/ui/env-tag'
import { Icon } from '@/components/ui/icon'
import { Num } from '@/components/ui/num'
import { Panel } from '@/components/ui/panel'
import { QuotaMeter } from '@/components/ui/quota-meter'
import { batchApi } from '@/lib/client/batch'
import type { QuotaUseView } from '@/lib/contract/batch'
import { ownWindow, quotaScale } from '@/lib/view/batch-quota'
import { quotaTwin } from '@/lib/view/batch-twin'
import type { AnyBatch } from '@/lib/view/batch-verdict'
import { formatCount, formatFixed } from '@/lib/view/format'

function QuotaRow({ quota, scale, own }: { quota: QuotaUseView; scale: number; own: string | null }) {
  const share = quota.window === 0 ? null : quota.used / quota.window
  return (
    <tr>
      <td className="w-[50px]">
        <EnvTag environment={quota.environment} />
      </td>
      <td>
        <QuotaMeter
          used={share ?? 0}
          lower={quota.lower}
          upper={quota.upper}
          scale={scale}
          onePick={quota.window === 0 ? 0 : 1 / quota.window}
        />
        {own !== null && (
          <span className="block text-11 text-ink-3" title="A changed quota starts its window anew">
            {own}
          </span>
        )}
      </td>
      <td className="num w-[56px]">
        <Num kind="share" value={share} absent={own === null ? 'no pick' : 'none yet'} />
      </td>
      <td className="num w-[62px] text-ink-2">
        {quota.state === 'under' && (
          <span className="mr-1 inline-block align-[-2px] text-bad" title="under its lower quota">
            <Icon name="down" className="h-3 w-3" />
            <span className="sr-only">under its lower quota, </span>
          </span>
        )}
        {quota.state === 'relaxed' && (
          <span className="mr-1 text-12 text-ink-3" title="its quota was relaxed: circumstances forbid it">
            relaxed
          </span>
        )}
        {formatFixed(quota.picks, 0)} <span className="unit">{quota.picks === 1 ? 'pick' : 'picks'}</span>
      </td>
    </tr>
  )
}

/** The first batch that a window of so many picks before this one counts; batches of a run are alike in size. */
const sinceOf = ({ index, size }: AnyBatch, window: number) =>
  size === 0 ? index : Math.max(1, index - Math.ceil(window / size))

export function QuotaPanel({ run, batch }: { run: string; batch: AnyBatch }) {
  const window = Math.max(0, ...batch.quotas.map((quota) => quota.window))
  const scale = quotaScale(batch.quotas)
  return (
    <Panel
      title="Quota, this window"
      sub={window === 0 ? 'no pick before this batch' : `of ${formatCount(window, 'pick')}`}
      twin={quotaTwin(batch.quotas, batch.index)}
      api={batchApi(run, batch)}
    >
      <table className="tbl compact" aria-label="Quota use">
        <tbody>
          {batch.quotas.map((quota) => (
            <QuotaRow
              key={quota.environment.id}
              quota={quota}
              scale={scale}
              own={ownWindow(quota.window, window, sinceOf(batch, quota.window))}
            />
          ))}
        </tbody>
      </table>
    </Panel>
  )
}
