/* Owns the columns of the table of runs. */

import Link from 'next/link'
import { Sparkline } from '@/components/charts/sparkline'
import { tabPath } from '@/components/shell/run-tabs'
import { Checkbox } from '@/components/ui/checkbox'
import type { Column } from '@/components/ui/data-table'
import { Num } from '@/components/ui/num'
import { StatusDot } from '@/components/ui/status-dot'
import type { RunSummary } from '@/lib/contract/run'
import { formatAgo, formatFixed, formatTime } from '@/lib/view/format'
import { startsOfNamesakes, statusRank } from '@/lib/view/run-order'
import { besideStatus, hasUniformSlots } from '@/lib/view/run-words'
import { aheadOfUniform } from '@/lib/view/runs-verdict'

function Status({ run }: { run: RunSummary }) {
  const words = besideStatus(run)
  return (
    <span className="flex items-center gap-[7px] whitespace-nowrap">
      <StatusDot status={run.status} />
      <span>{run.status}</span>
      {words !== null && (
        <span className="low max-w-[148px] truncate text-12 text-ink-3" title={words}>
          {words}
        </span>
      )}
    </span>
  )
}

function rewardRange(runs: readonly RunSummary[]): { low: number; high: number } {
  const known = runs.flatMap((run) => run.rewardSeries.filter((value) => value !== null))
  return known.length === 0 ? { low: 0, high: 1 } : { low: Math.min(...known), high: Math.max(...known) }
}

export interface RunChoice {
  has: (id: string) => boolean
  /** no further one may be chosen */
  full: boolean
  toggle: (id: string) => void
}

/** `now` in ms or null before the page's clock runs. */
export function runsColumns(runs: readonly RunSummary[], now: number | null, choice: RunChoice): Column<RunSummary>[] {
  const range = rewardRange(runs)
  const starts = startsOfNamesakes(runs)
  return [
    {
      key: 'run',
      head: 'run',
      className: 'first:pl-[35px]!',
      sortBy: (run) => run.name,
      cell: (run) => (
        <span className="relative flex items-center">
          <span className="absolute -left-[32px]">
            <Checkbox
              label={`Select ${run.name}`}
              checked={choice.has(run.id)}
              disabled={choice.full && !choice.has(run.id)}
              onChange={() => choice.toggle(run.id)}
            />
          </span>
          <Link
            className="max-w-[184px] truncate font-medium whitespace-nowrap"
            title={run.name}
            href={tabPath(run.id, 'overview')}
          >
            {run.name}
          </Link>
          {starts.has(run.id) && (
            <small className="less ml-[6px] whitespace-nowrap text-ink-3">{starts.get(run.id)}</small>
          )}
        </span>
      ),
    },
    { key: 'status', head: 'status', sortBy: (run) => statusRank(run.status), cell: (run) => <Status run={run} /> },
    {
      key: 'batch',
      head: 'batch',
      align: 'right',
      sortBy: (run) => run.batch,
      cell: (run) => formatFixed(run.batch, 0),
    },
    {
      key: 'policy',
      head: 'policy',
      align: 'right',
      explain: "The trainer's step of the policy, of the steps it planned",
      sortBy: (run) => run.policyVersion,
      cell: (run) => <Num kind="count" value={run.policyVersion} of={run.plannedSteps} absent="not yet" />,
    },
    {
      key: 'informative',
      head: 'informative',
      align: 'right',
      explain:
        'Trusted groups whose rewards are not all equal, over trusted groups: all slots, uniform ones included, last 10 batches (Compare takes 5 steps)',
      sortBy: (run) => run.informativeShare,
      cell: (run) => <Num kind="share" value={run.informativeShare} absent="no group" />,
    },
    {
      key: 'ahead',
      head: 'vs uniform',
      align: 'right',
      explain: 'Points that all slots lie above the informative share of the uniform slots, last 10 batches',
      sortBy: aheadOfUniform,
      cell: (run) => (
        <span className="text-ink-2">
          {run.scheduler === 'uniform' ? (
            <span className="unit">is uniform</span>
          ) : (
            <Num kind="share" value={aheadOfUniform(run)} absent="n/a" signed unit={false} />
          )}
        </span>
      ),
    },
    {
      key: 'reward',
      head: 'reward, whole set',
      explain: 'Mean reward on the uniform slots: an honest sample of the whole task set',
      className: 'pl-[14px]!',
      sortBy: (run) => run.reward,
      cell: (run) => (
        <span className="flex w-fit items-center gap-3 whitespace-nowrap">
          <span className="w-[74px]">
            {run.rewardSeries.some((value) => value !== null) && (
              <Sparkline
                values={run.rewardSeries}
                {...range}
                label={`reward of ${run.name} over ${run.batch} batches`}
              />
            )}
          </span>
          <span className="flex-1 text-right">
            <Num kind="reward" value={run.reward} absent={hasUniformSlots(run) ? 'not yet' : 'n/a'} />
          </span>
        </span>
      ),
    },
    {
      key: 'tasks',
      head: 'envs / tasks',
      align: 'right',
      sortBy: (run) => run.tasks,
      cell: (run) => <Num kind="count" value={run.environments} of={run.tasks} absent="n/a" />,
    },
    {
      key: 'started',
      head: 'started',
      align: 'right',
      low: true,
      explain: 'Time in UTC',
      sortBy: (run) => run.createdAt,
      cell: (run) => <span className="text-ink-2">{formatTime(run.createdAt, 'n/a')}</span>,
    },
    {
      key: 'report',
      head: 'last report',
      align: 'right',
      sortBy: (run) => run.lastReportAt,
      cell: (run) => (
        <span className={run.status === 'silent' ? 'font-medium text-warn' : 'text-ink-2'}>
          {run.lastReportAt === null ? (
            <span className="unit">none yet</span>
          ) : now === null ? (
            ''
          ) : (
            formatAgo(run.lastReportAt, now, 'none yet')
          )}
        </span>
      ),
    },
  ]
}
