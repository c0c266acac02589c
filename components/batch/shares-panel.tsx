/* Owns the shares of a batch whose trainer chooses its own tasks: picks an environment should get, and groups that came of it. */
import { EnvTag } from '@/components/ui/env-tag'
import { Num } from '@/components/ui/num'
import { Panel } from '@/components/ui/panel'
import { ZeroState } from '@/components/ui/panel-state'
import { batchApi } from '@/lib/client/batch'
import type { BatchDetail } from '@/lib/contract/batch'
import { sharesTwin } from '@/lib/view/batch-twin'
import type { AnyBatch } from '@/lib/view/batch-verdict'
import { formatCount } from '@/lib/view/format'

type Shares = NonNullable<BatchDetail['shares']>

function ShareRow({ share, most }: { share: Shares[number]; most: number }) {
  const { environment, picks, groups } = share
  return (
    <tr>
      <td className="w-[50px]">
        <EnvTag environment={environment} />
      </td>
      <td className="w-full max-w-0 truncate" title={environment.name}>
        {environment.name}
      </td>
      <td className="w-[160px] max-sm:hidden">
        <span className="shares-bar" aria-hidden="true">
          <i style={{ width: `${most === 0 ? 0 : (100 * picks) / most}%` }} />
        </span>
      </td>
      <td className="num">
        <Num kind="count" value={picks} absent="none" />
      </td>
      <td className="num">
        <Num kind="count" value={groups} absent="none" />
      </td>
    </tr>
  )
}

export function SharesPanel({ run, batch, shares }: { run: string; batch: AnyBatch; shares: Shares }) {
  const most = Math.max(0, ...shares.map(({ picks }) => picks))
  return (
    <Panel
      title="Shares by environment"
      sub={`${formatCount(batch.size, 'pick')} of ${batch.groupSize} rollouts, tasks chosen by the trainer`}
      span={8}
      twin={sharesTwin(shares, batch.index)}
      api={batchApi(run, batch)}
      twinHeight={320}
    >
      {shares.length === 0 ? (
        <ZeroState title="environments in this batch" height={240}>
          Every task is banned, paused, leased or waiting. The tasks beside say what holds each.
        </ZeroState>
      ) : (
        <table className="tbl" data-rows="small" aria-label={`Shares of batch ${batch.index}`}>
          <thead>
            <tr>
              <th scope="col" colSpan={2}>
                environment
              </th>
              <th scope="col" className="max-sm:hidden" aria-label="share of the batch" />
              <th scope="col" className="num">
                <span className="explained" title="picks that it should get of this batch">
                  picks
                </span>
              </th>
              <th scope="col" className="num">
                <span
                  className="explained"
                  title="groups of this policy that were reported, which is what quotas count"
                >
                  groups
                </span>
              </th>
            </tr>
          </thead>
          <tbody>
            {shares.map((share) => (
              <ShareRow key={share.environment.id} share={share} most={most} />
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  )
}
