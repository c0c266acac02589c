'use client'
/* Owns the table of picks: why, variance, score terms on one scale, what came back. The opened pick is the caller's to keep. */
import Link from 'next/link'
import { useState } from 'react'
import { type Column, DataTable } from '@/components/ui/data-table'
import { EnvTag } from '@/components/ui/env-tag'
import { GroupLink } from '@/components/ui/group-link'
import { Icon } from '@/components/ui/icon'
import { Key } from '@/components/ui/key'
import { Panel } from '@/components/ui/panel'
import { ZeroState } from '@/components/ui/panel-state'
import { RolloutSquares } from '@/components/ui/rollout-squares'
import { ScoreBar, ScoreKeys, scoreScale } from '@/components/ui/score-bar'
import type { SortState } from '@/components/ui/sort-rows'
import { useKeys } from '@/components/ui/use-keys'
import { batchApi } from '@/lib/client/batch'
import type { PickView } from '@/lib/contract/batch'
import { picksTwin } from '@/lib/view/batch-twin'
import { type AnyBatch, isIssued } from '@/lib/view/batch-verdict'
import { formatFixed } from '@/lib/view/format'
import { PickDetail } from './pick-detail'
import { SlotMark } from './slot-mark'

function PickTask({ run, pick, issued }: { run: string; pick: PickView; issued: boolean }) {
  return (
    <>
      <span className="flex items-center gap-x-[10px] max-sm:flex-wrap">
        <Link
          className="min-w-0 max-w-[30ch] truncate font-medium max-sm:max-w-none max-sm:basis-full max-sm:py-[2px] max-sm:whitespace-normal max-sm:wrap-anywhere"
          title={pick.task.key}
          href={`/runs/${encodeURIComponent(run)}/tasks/${encodeURIComponent(pick.task.id)}`}
        >
          {pick.task.key}
        </Link>
        <EnvTag environment={pick.environment} />
        <SlotMark slot={pick.slot} />
        {pick.more && (
          <span
            className="whitespace-nowrap text-12 text-ink-3"
            title="Picked after the batch was issued, with the rollouts that groups left over which stopped after their first stage"
          >
            bought later
          </span>
        )}
        {issued && (
          <span className="ml-auto flex-none max-sm:ml-0 max-sm:flex">
            <GroupLink run={run} task={pick.task.id} group={pick.result.group} label="Read its rollouts">
              <RolloutSquares marks={pick.result.squares} stages={pick.result.stages} />
            </GroupLink>
          </span>
        )}
      </span>
      <span className="why wrap-anywhere">{pick.reason}</span>
    </>
  )
}

function picksSub(picks: readonly PickView[]): string {
  const more = picks.filter((pick) => pick.more).length
  const all = `${formatFixed(picks.length, 0)}, by score, then the uniform ones`
  return more === 0 ? all : `${all}, then ${formatFixed(more, 0)} bought later`
}

export function PicksPanel({
  run,
  batch,
  open,
  onOpen,
}: {
  run: string
  batch: AnyBatch
  /** id of the task whose pick is open, or null */
  open: string | null
  onOpen: (task: string | null) => void
}) {
  const [sort, setSort] = useState<SortState>({ key: 'pick', direction: 'ascending' })
  const issued = isIssued(batch)
  const picks = batch.pickList
  const scale = scoreScale(picks.map(({ terms }) => terms))
  const toggle = (pick: PickView) => onOpen(open === pick.task.id ? null : pick.task.id)
  const close = () => (open === null ? false : onOpen(null))
  useKeys({ Escape: close })
  const columns: Column<PickView>[] = [
    {
      key: 'pick',
      head: 'pick',
      align: 'right',
      width: 52,
      className: 'text-ink-3',
      sortBy: (pick) => pick.position,
      cell: (pick) => (
        <button
          type="button"
          className="inline-flex min-h-6 min-w-6 items-center justify-end gap-1 rounded-sm hover:text-ink-1 hover:underline"
          aria-expanded={open === pick.task.id}
          aria-label={`Pick ${pick.position}, ${pick.task.key}: show its terms`}
          onClick={() => toggle(pick)}
        >
          <Icon name={open === pick.task.id ? 'down' : 'right'} />
          {pick.position}
        </button>
      ),
    },
    {
      key: 'task',
      head: 'task, and why',
      className: 'w-full max-w-0',
      cell: (pick) => <PickTask run={run} pick={pick} issued={issued} />,
    },
    {
      key: 'variance',
      head: 'variance',
      align: 'right',
      explain: 'mean of the predicted normalised reward variance inside one group, 0 to 0.250',
      sortBy: (pick) => pick.prediction.predictedVariance,
      cell: (pick) => formatFixed(pick.prediction.predictedVariance, 3),
    },
    {
      key: 'terms',
      head: 'score terms',
      width: 138,
      className: 'pick-terms',
      cell: (pick) => <ScoreBar terms={pick.terms} scale={scale} />,
    },
    {
      key: 'score',
      head: 'score',
      align: 'right',
      explain: 'sum of the terms when it was chosen; uniform and pinned picks did not need it',
      sortBy: (pick) => pick.score,
      cell: (pick) => <b>{formatFixed(pick.score, 2)}</b>,
    },
  ]
  const has = (term: 'override' | 'cost') => picks.some(({ terms }) => Math.abs(terms[term]) > 1e-9)
  return (
    <Panel
      title="Picks"
      sub={picksSub(picks)}
      span={8}
      twin={picksTwin(picks, batch.index)}
      api={batchApi(run, batch)}
      twinHeight={640}
    >
      {picks.length === 0 ? (
        <ZeroState title="picks in this batch" height={240}>
          Every task is banned, paused, leased or waiting. The tasks beside say what holds each.
        </ZeroState>
      ) : (
        <>
          <div className="-mt-[2px] mb-[6px] flex flex-wrap gap-x-[14px] gap-y-1">
            <ScoreKeys />
            {has('override') && <Key colour="var(--accent)">override</Key>}
            {has('cost') && <Key colour="var(--series-ref)">trust and cost</Key>}
          </div>
          <DataTable
            label={`Picks of batch ${batch.index}`}
            className="picks"
            columns={columns}
            rows={picks}
            rowKey={(pick) => pick.task.id}
            onRow={toggle}
            opened={(pick) => (open === pick.task.id ? <PickDetail run={run} pick={pick} issued={issued} /> : null)}
            sort={sort}
            onSort={setSort}
            size="two"
            padded
            keys
          />
        </>
      )}
    </Panel>
  )
}
