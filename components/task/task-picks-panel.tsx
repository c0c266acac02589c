'use client'
/* Owns the picks of one task, newest first: where in the batch and why, the score, what came back. */
import Link from 'next/link'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { GroupLink } from '@/components/ui/group-link'
import { Panel } from '@/components/ui/panel'
import { NothingState } from '@/components/ui/panel-state'
import { RolloutSquares } from '@/components/ui/rollout-squares'
import { ScoreBar, ScoreKeys, scoreScale } from '@/components/ui/score-bar'
import type { TaskDetail } from '@/lib/contract/task'
import { formatFixed } from '@/lib/view/format'
import { stageWords } from '@/lib/view/stage-words'
import { taskPicksTwin } from '@/lib/view/task-twin'
import { cameBack, ordinal } from '@/lib/view/task-verdict'

const SHOWN = 8

type Pick = TaskDetail['picks'][number]

const SLOTS = { score: '', uniform: ', uniform', pin: ', pinned' } as const

function PickRow({
  run,
  task,
  pick,
  scale,
}: {
  run: string
  task: string
  pick: Pick
  scale: { left: number; right: number }
}) {
  return (
    <tr className={pick.superseded ? 'text-ink-3' : undefined}>
      <td className="num w-[44px]">
        <Link
          href={`/runs/${encodeURIComponent(run)}/batch?batch=${pick.batch}&pick=${encodeURIComponent(task)}`}
          aria-label={`Batch ${pick.batch}`}
        >
          {pick.batch}
        </Link>
      </td>
      <td className="pl-2">
        <span className="font-medium">
          {pick.more ? `${ordinal(pick.position)}, bought later` : `${ordinal(pick.position)} of ${pick.size}`}
          {SLOTS[pick.slot]}
          {pick.superseded && ', superseded by a restore'}
        </span>
        <span className="why">{pick.reason}</span>
      </td>
      <td className="w-[130px]">
        <ScoreBar terms={pick.terms} scale={scale} />
      </td>
      <td className="num font-semibold">{formatFixed(pick.score, 2)}</td>
      <td className="w-[128px] pl-[10px]">
        <GroupLink run={run} task={task} group={pick.result.group} label="Read its rollouts">
          <RolloutSquares marks={pick.result.squares} stages={pick.result.stages} words={false} />
        </GroupLink>
        <span className="why">{cameBack(pick.result)}</span>
        {pick.result.stages !== null && <span className="why">{stageWords(pick.result.stages)}</span>}
      </td>
    </tr>
  )
}

export function TaskPicksPanel({ run, task }: { run: string; task: TaskDetail }) {
  const [all, setAll] = useState<boolean>(false)
  const picks = [...task.picks].sort((a, b) => b.batch - a.batch)
  const shown = all === true ? picks : picks.slice(0, SHOWN)
  const scale = scoreScale(picks.map(({ terms }) => terms))
  return (
    <Panel
      title="Picks, and what came back"
      sub={`${formatFixed(picks.filter(({ superseded }) => !superseded).length, 0)} of ${formatFixed(task.batch, 0)} batches`}
      span={8}
      twin={taskPicksTwin(task)}
      api={`/runs/${run}/tasks/${task.task.id}`}
      twinHeight={280}
    >
      {picks.length === 0 ? (
        <NothingState title="Never picked" height={140}>
          No batch has it yet. Its score and what kept it out stand on the Batch page while it is close.
        </NothingState>
      ) : (
        <>
          <ScoreKeys />
          <section className="tbl-scroll" aria-label="Picks, scrolls sideways">
            <table className="tbl mt-[2px] min-w-[600px]" data-rows="two" aria-label="Picks">
              <thead>
                <tr>
                  <th scope="col" className="num w-[44px]">
                    batch
                  </th>
                  <th scope="col" className="pl-2">
                    why
                  </th>
                  <th scope="col">score terms</th>
                  <th scope="col" className="num">
                    score
                  </th>
                  <th scope="col" className="pl-[10px]">
                    group
                  </th>
                </tr>
              </thead>
              <tbody>
                {shown.map((pick) => (
                  <PickRow key={pick.batch} run={run} task={task.task.id} pick={pick} scale={scale} />
                ))}
              </tbody>
            </table>
          </section>
          {picks.length > SHOWN && (
            <Button size="small" kind="quiet" className="mt-1" onClick={() => setAll(all !== true)}>
              {all === true ? `Newest ${SHOWN}` : `${picks.length - SHOWN} earlier`}
            </Button>
          )}
        </>
      )}
    </Panel>
  )
}
