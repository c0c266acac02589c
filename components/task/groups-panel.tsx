'use client'
/* Owns the groups of one task, newest first: its rollouts as squares, solved or mean, turns, and the mass left in the prediction. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { GroupLink } from '@/components/ui/group-link'
import { Num } from '@/components/ui/num'
import { Panel } from '@/components/ui/panel'
import { NotYetState } from '@/components/ui/panel-state'
import { RolloutSquares } from '@/components/ui/rollout-squares'
import { SquareKeys } from '@/components/ui/square-keys'
import { evidenceQuery } from '@/lib/client/task'
import type { TaskDetail } from '@/lib/contract/task'
import { formatCount, formatFixed } from '@/lib/view/format'
import { type MassLeft, massLeft } from '@/lib/view/task-mass'
import { groupsTwin } from '@/lib/view/task-twin'
import { rolloutCounts, solvedOf } from '@/lib/view/task-verdict'

const SHOWN = 10

type Group = TaskDetail['groups'][number]

const ABSENT = { faded: 'faded', not_yet: 'not yet', none: 'no mass' } as const

function Solved({ group }: { group: Group }) {
  const solved = solvedOf(group.result)
  if (solved === null) return <Num kind="reward" value={group.result.mean} absent="no group" />
  return (
    <span className="whitespace-nowrap">
      {solved.solved}
      <span className="unit"> / {solved.of}</span>
    </span>
  )
}

function GroupRow({ run, task, group, left }: { run: string; task: string; group: Group; left: MassLeft }) {
  return (
    <tr>
      <td className="num">{formatFixed(group.policyVersion, 0)}</td>
      <td className="pl-2">
        <GroupLink run={run} task={task} group={group.result.group} label="Read its rollouts">
          <RolloutSquares marks={group.result.squares} stages={group.result.stages} />
        </GroupLink>
      </td>
      <td className="num">
        <Solved group={group} />
      </td>
      <td className="num">
        <Num kind="count" value={group.turns} absent={group.result.returned === 0 ? 'not yet' : 'n/a'} />
      </td>
      <td className="num">
        {left.kind === 'left' ? formatFixed(left.mass, 1) : <span className="unit">{ABSENT[left.kind]}</span>}
      </td>
    </tr>
  )
}

export function GroupsPanel({ run, task }: { run: string; task: TaskDetail }) {
  const evidence = useQuery(evidenceQuery(run, task.task.id)).data
  const [all, setAll] = useState<boolean>(false)
  const groups = [...task.groups].sort((a, b) => b.policyVersion - a.policyVersion)
  const shown = all === true ? groups : groups.slice(0, SHOWN)
  const { returned, trusted } = rolloutCounts(groups)
  const own = evidence?.task.id === task.task.id ? evidence : undefined
  const size = groups[0]?.result.size
  return (
    <Panel
      title="Rollouts"
      sub={
        returned === 0
          ? 'none back yet'
          : `${formatFixed(returned, 0)}: ${formatFixed(trusted, 0)} trusted${returned > trusted ? `, ${returned - trusted} not` : ''}`
      }
      span={4}
      twin={groupsTwin(task)}
      api={`/runs/${run}/tasks/${task.task.id}`}
      twinHeight={240}
    >
      {groups.length === 0 ? (
        <NotYetState height={140}>No rollout of it was reported. They stand here group by group.</NotYetState>
      ) : (
        <>
          <table className="tbl" data-rows="small" aria-label="Rollouts by group">
            <thead>
              <tr>
                <th scope="col" className="num">
                  policy
                </th>
                <th scope="col" className="pl-2">
                  {size === undefined ? 'group' : `group of ${size}`}
                </th>
                <th scope="col" className="num">
                  solved
                </th>
                <th scope="col" className="num">
                  turns
                </th>
                <th scope="col" className="num">
                  <span className="explained" title="effective trusted rollouts left after fading">
                    mass left
                  </span>
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.map((group, i) => (
                <GroupRow
                  key={`${group.policyVersion}-${group.batch ?? 'none'}-${String(i)}`}
                  run={run}
                  task={task.task.id}
                  group={group}
                  left={massLeft(group, own)}
                />
              ))}
            </tbody>
          </table>
          {groups.length > SHOWN && (
            <Button size="small" kind="quiet" className="mt-1" onClick={() => setAll(all !== true)}>
              {all === true ? `Newest ${SHOWN}` : formatCount(groups.length - SHOWN, 'earlier group')}
            </Button>
          )}
          <div className="mt-2">
            <SquareKeys />
          </div>
        </>
      )}
    </Panel>
  )
}
