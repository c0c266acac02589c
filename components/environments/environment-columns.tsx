/* Owns the columns of the table of environments. */

import { Badge } from '@/components/ui/badge'
import { IconButton } from '@/components/ui/button'
import type { Column } from '@/components/ui/data-table'
import { EnvTag } from '@/components/ui/env-tag'
import { Key } from '@/components/ui/key'
import { Num } from '@/components/ui/num'
import { QuotaMeter } from '@/components/ui/quota-meter'
import type { EnvironmentRow } from '@/lib/contract/environment'
import type { EnvironmentTotals } from '@/lib/view/environment-totals'
import {
  failureWords,
  quotaScale,
  STATE_TONE,
  stateOf,
  stateRank,
  stateWords,
  usedShare,
} from '@/lib/view/environment-words'
import { formatCount, formatFixed } from '@/lib/view/format'
import { FailureBar } from './failure-bar'
import { VarianceDots } from './variance-dots'

function State({ row }: { row: EnvironmentRow }) {
  const words = stateWords(row)
  if (words === null) return null
  return (
    <Badge tone={STATE_TONE[stateOf(row)]} icon={stateOf(row) === 'paused' ? 'pause' : undefined}>
      {words}
    </Badge>
  )
}

function Quota({ row, scale, longest }: { row: EnvironmentRow; scale: number; longest: number }) {
  const used = usedShare(row)
  const { window } = row.quota
  const own =
    window < longest
      ? `Of ${formatCount(window, 'pick')} since its quota changed; the window of the others has ${formatFixed(longest, 0)}`
      : undefined
  return (
    <span className="flex items-center gap-2" title={own}>
      <span className="w-[88px]">
        <QuotaMeter
          used={used ?? 0}
          lower={row.quota.lower}
          upper={row.quota.upper}
          scale={scale}
          onePick={row.quota.window > 0 ? 1 / row.quota.window : 0}
          paused={row.paused !== null || used === null}
        />
      </span>
      <span className="min-w-[46px] text-right">
        <Num kind="share" value={used} absent={own === undefined ? 'no pick' : 'none yet'} />
      </span>
    </span>
  )
}

export function environmentColumns(
  rows: readonly EnvironmentRow[],
  totals: EnvironmentTotals,
  open: string | null,
  onOpen: (id: string) => void,
): Column<EnvironmentRow>[] {
  const scale = quotaScale(rows)
  const longest = Math.max(0, ...rows.map((row) => row.quota.window))
  const variance = Math.max(0.25, ...rows.map((row) => Math.max(row.predictedVariance ?? 0, row.realisedVariance ?? 0)))
  return [
    {
      key: 'environment',
      head: 'environment',
      sortBy: (row) => row.name,
      foot: 'All',
      cell: (row) => (
        <span className="flex items-center gap-[10px] whitespace-nowrap">
          <span className="w-[46px] flex-none">
            <EnvTag environment={row} />
          </span>
          <span className="max-w-[190px] truncate font-medium" title={row.name}>
            {row.name}
          </span>
        </span>
      ),
    },
    {
      key: 'state',
      head: 'state',
      sortBy: (row) => -stateRank(row),
      cell: (row) => <State row={row} />,
      className: 'whitespace-nowrap',
    },
    {
      key: 'seen',
      head: 'seen',
      align: 'right',
      low: true,
      explain: 'Tasks with at least one trusted group, of all tasks',
      sortBy: (row) => row.seen / row.tasks,
      foot: <Num kind="count" value={totals.seen} of={totals.tasks} absent="n/a" />,
      cell: (row) => <Num kind="count" value={row.seen} of={row.tasks} absent="n/a" />,
    },
    {
      key: 'picks',
      head: 'picks against quota',
      explain:
        'Share of the picks of the window; the grey part is allowed, the ticks are the lower and the upper quota',
      sortBy: usedShare,

      foot: (
        <span className="block text-right">
          <Num kind="share" value={totals.used} absent="no pick" />
        </span>
      ),
      cell: (row) => <Quota row={row} scale={scale} longest={longest} />,
    },
    {
      key: 'variance',
      head: (
        <span className="inline-flex items-center gap-1">
          variance{' '}
          <Key colour="var(--term-exploit)" mark="ring">
            <span className="text-11">pred.</span>
          </Key>{' '}
          <Key colour="var(--term-exploit)" mark="disc">
            <span className="text-11">real.</span>
          </Key>
        </span>
      ),
      width: 142,
      explain:
        'Variance of the rewards inside a group, predicted and realised; groups of one rollout have no realised variance',
      sortBy: (row) => row.predictedVariance,
      cell: (row) => (
        <VarianceDots predicted={row.predictedVariance} realised={row.realisedVariance} scale={variance} />
      ),
    },
    {
      key: 'ability',
      head: 'ability',
      align: 'right',
      explain: 'Mean outcome that the scheduler expects, 0 to 1',
      sortBy: (row) => row.ability,
      foot: <Num kind="ability" value={totals.ability} absent="n/a" />,
      cell: (row) => <Num kind="ability" value={row.ability} absent="n/a" />,
    },
    {
      key: 'drift',
      head: 'drift',
      align: 'right',
      explain: 'Change of ability in 10 batches',
      sortBy: (row) => row.drift,
      cell: (row) => (
        <span className="text-ink-2">
          <Num kind="ability" value={row.drift} absent="n/a" signed />
        </span>
      ),
    },
    {
      key: 'informative',
      head: 'informative',
      align: 'right',
      explain: 'Trusted groups whose rewards are not all equal, over trusted groups, last 10 batches',
      sortBy: (row) => row.informativeShare,
      foot: <Num kind="share" value={totals.informative} absent="no group" decimals={0} />,
      cell: (row) => <Num kind="share" value={row.informativeShare} absent="no group" decimals={0} />,
    },
    {
      key: 'failures',
      head: 'failures',
      align: 'right',
      explain:
        'Rollouts of the last 10 batches that cannot be used: infra errors (hatched), verifier errors (solid), cancelled; the bar adds truncated ones (grey), which can, and ends at 20 %. A rollout with an error text that got a reward is no failure: hover a cell for their share',
      sortBy: (row) => row.failureShare,
      foot: <Num kind="share" value={totals.failures} absent="no report" decimals={0} />,
      cell: (row) => (
        <span className="flex items-center justify-end gap-[6px]" title={failureWords(row) ?? undefined}>
          <FailureBar statuses={row.statuses} />
          <span
            className={
              row.failureShare !== null && row.failureShare > 0.2 ? 'min-w-[34px] font-medium text-bad' : 'min-w-[34px]'
            }
          >
            <Num kind="share" value={row.failureShare} absent="no report" decimals={0} />
          </span>
        </span>
      ),
    },
    {
      key: 'rollout',
      head: 'rollout',
      align: 'right',
      low: true,
      explain: 'Median time of one rollout',
      sortBy: (row) => row.seconds,
      cell: (row) => <Num kind="seconds" value={row.seconds} absent="n/a" />,
    },
    {
      key: 'edit',
      head: <span className="sr-only">Quota, pause, boost</span>,
      align: 'right',
      width: 26,
      cell: (row) => (
        <IconButton
          icon={open === row.id ? 'up' : 'down'}
          kind="quiet"
          size="small"
          label={`Quota, pause, boost of ${row.name}`}
          aria-expanded={open === row.id}
          onClick={() => onOpen(row.id)}
        />
      ),
    },
  ]
}
