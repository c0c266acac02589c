/* Owns what stands for the charts over batches when there are none: in shadow mode the trainer chose and only reported. */
import Link from 'next/link'
import { tabPath } from '@/components/shell/run-tabs'
import { Num } from '@/components/ui/num'
import { Panel } from '@/components/ui/panel'
import type { Overview } from '@/lib/contract/overview'
import { formatFixed } from '@/lib/view/format'
import { predictionSentence } from '@/lib/view/overview-verdict'

export function ShadowPanel({ run, overview, rollouts }: { run: string; overview: Overview; rollouts: number }) {
  const { chosen, rewardChosen, predictionError } = overview
  const rows = [
    ['rollouts reported', rollouts, null],
    ['trusted groups', chosen?.groups ?? 0, null],
    ['informative share', chosen?.value ?? null, chosen],
    ['mean reward', rewardChosen?.value ?? null, rewardChosen],
    ['error of the predicted variance', predictionError?.error ?? null, null],
    ['error of the mean so far', predictionError?.errorOfMean ?? null, null],
  ] as const
  const twin = {
    name: 'reported',
    columns: ['what', 'value', 'low', 'high'],
    rows: rows.map(([name, value, interval]) => [name, value, interval?.low ?? null, interval?.high ?? null]),
  }
  return (
    <Panel
      span={8}
      title="What was reported"
      sub="the trainer chose by itself"
      twin={twin}
      api={`/runs/${run}/overview`}
      isTable
    >
      <table className="tbl" aria-label="What was reported">
        <tbody>
          <tr>
            <td>Rollouts</td>
            <td className="num">
              <Num kind="count" value={rollouts} absent="n/a" />
            </td>
            <td className="text-ink-3">reported</td>
          </tr>
          <tr>
            <td>Trusted groups</td>
            <td className="num">
              <Num kind="count" value={chosen?.groups ?? 0} absent="n/a" />
            </td>
            <td className="text-ink-3">of the newest reports, with two trusted rewards or more</td>
          </tr>
          <tr>
            <td>Informative share</td>
            <td className="num">
              <Num kind="share" value={chosen?.value} absent="no group" />
            </td>
            <td className="text-ink-3">
              {chosen !== null &&
                `interval ${formatFixed(chosen.low * 100, 1)} to ${formatFixed(chosen.high * 100, 1)}\u00a0%`}
            </td>
          </tr>
          <tr>
            <td>Mean reward</td>
            <td className="num">
              <Num kind="reward" value={rewardChosen?.value} absent="no group" />
            </td>
            <td className="text-ink-3">
              {rewardChosen !== null &&
                `interval ${formatFixed(rewardChosen.low, 2)} to ${formatFixed(rewardChosen.high, 2)}`}
            </td>
          </tr>
        </tbody>
      </table>
      <p className="mt-2">{predictionSentence(overview)}</p>
      <p className="mt-1 text-12 text-ink-2">
        <Link href={tabPath(run, 'tasks')}>A task</Link> shows what was predicted before each of its groups came back.
      </p>
    </Panel>
  )
}
