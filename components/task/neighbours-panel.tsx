'use client'
/* Owns one kind of neighbours of a task: what they share, how they are solved, what they give to this prediction. */
import Link from 'next/link'
import { EnvTag } from '@/components/ui/env-tag'
import { Num } from '@/components/ui/num'
import { Panel } from '@/components/ui/panel'
import { NothingState } from '@/components/ui/panel-state'
import type { TaskDetail } from '@/lib/contract/task'
import { formatFixed } from '@/lib/view/format'
import { neighboursTwin } from '@/lib/view/task-twin'

type Neighbour = TaskDetail['neighbours'][number]

/** How much of the prediction it moves, either way; what is below the cut comes last. */
const weightIn = ({ share }: Neighbour) => (share === null ? -1 : Math.abs(share))

function NeighbourRow({ run, row }: { run: string; row: Neighbour }) {
  return (
    <tr>
      <td>
        <span className="flex items-center gap-2">
          <Link
            className="max-w-[30ch] truncate font-medium"
            title={row.task.key}
            href={`/runs/${encodeURIComponent(run)}/tasks/${encodeURIComponent(row.task.id)}`}
          >
            {row.task.key}
          </Link>
          {row.kind === 'cross' && <EnvTag environment={row.task.environment} />}
        </span>
        <span className="why">{row.shared}</span>
      </td>
      <td className="num">{formatFixed(row.weight, 2)}</td>
      <td className="num">
        {row.trusted === 0 || row.solved === null ? (
          <span className="unit">not yet</span>
        ) : (
          <>
            <Num kind="share" value={row.solved} absent="no group" decimals={0} />
            <span className="unit"> of {row.trusted}</span>
          </>
        )}
      </td>
      <td className="num">
        <Num kind="share" value={row.share} absent="below the cut" />
      </td>
    </tr>
  )
}

export function NeighboursPanel({ run, task, kind }: { run: string; task: TaskDetail; kind: 'within' | 'cross' }) {
  const rows = task.neighbours
    .filter((row) => row.kind === kind)
    .sort((a, b) => weightIn(b) - weightIn(a) || b.weight - a.weight)
  const giving = rows.filter(({ share }) => share !== null).length
  const where = kind === 'within' ? 'same environment' : 'same pattern elsewhere'
  return (
    <Panel
      title={kind === 'within' ? 'Within neighbours' : 'Cross neighbours'}
      sub={`${where}, ${giving} of ${rows.length} in its prediction`}
      span={6}
      twin={neighboursTwin(rows, task.task.key, kind)}
      api={`/runs/${run}/tasks/${task.task.id}`}
      twinHeight={260}
    >
      {rows.length === 0 ? (
        <NothingState title={`No ${kind} neighbour`} height={120}>
          {kind === 'within'
            ? 'No task of its environment shares enough tools, state or checks with it.'
            : 'No task of another environment is enough like it.'}
        </NothingState>
      ) : (
        <section className="tbl-scroll" aria-label={`${kind} neighbours, scrolls sideways`}>
          <table className="tbl min-w-[400px]" data-rows="two" aria-label={`${kind} neighbours`}>
            <thead>
              <tr>
                <th scope="col">task, and why they are neighbours</th>
                <th scope="col" className="num">
                  edge
                </th>
                <th scope="col" className="num">
                  <span className="explained" title="mean outcome of its trusted rollouts, and how many there are">
                    solved
                  </span>
                </th>
                <th scope="col" className="num">
                  <span className="explained" title="its share of this task's prediction">
                    share
                  </span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <NeighbourRow key={row.task.id} run={run} row={row} />
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Panel>
  )
}
