'use client'
/* Owns the task sets that no run is on: registered or imported, waiting for somebody to start one. Nothing where there are none. */
import { Fragment, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Num } from '@/components/ui/num'
import { Panel } from '@/components/ui/panel'
import type { StartRun as StartRunAction } from '@/lib/contract/action'
import type { TaskSetSummary } from '@/lib/contract/task-set'
import { StartRun } from './start-run'

const TITLE = 'Task sets, not run yet'

export function TaskSetsPanel({ sets, startRun }: { sets: readonly TaskSetSummary[]; startRun: StartRunAction }) {
  const [open, setOpen] = useState<string | null>(null)
  if (sets.length === 0) return null
  const twin = {
    name: 'task sets',
    columns: ['task set', 'environments', 'tasks', 'tools', 'id'],
    rows: sets.map((set) => [set.name, set.environments, set.tasks, set.tools, set.id]),
  }
  return (
    <Panel title={TITLE} sub={sets.length} twin={twin} api="/task-sets" isTable>
      <table className="tbl" aria-label={TITLE}>
        <thead>
          <tr>
            <th scope="col">task set</th>
            <th scope="col" className="num">
              environments
            </th>
            <th scope="col" className="num">
              tasks
            </th>
            <th scope="col" aria-label="start" />
          </tr>
        </thead>
        <tbody>
          {sets.map((set) => (
            <Fragment key={set.id}>
              <tr>
                <td className="break-words">{set.name}</td>
                <td className="num">
                  <Num kind="count" value={set.environments} absent="n/a" />
                </td>
                <td className="num">
                  <Num kind="count" value={set.tasks} absent="n/a" />
                </td>
                <td className="text-right">
                  <Button
                    size="small"
                    icon={open === set.id ? undefined : 'play'}
                    onClick={() => setOpen(open === set.id ? null : set.id)}
                  >
                    {open === set.id ? 'Close' : 'Start a run'}
                  </Button>
                </td>
              </tr>
              {open === set.id && (
                <tr>
                  <td colSpan={4}>
                    <div className="max-w-[420px] pb-2">
                      <StartRun taskSet={set.id} startRun={startRun} />
                    </div>
                  </td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
    </Panel>
  )
}
