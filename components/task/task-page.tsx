'use client'
/* Owns the Task page: everything about one (environment, task) pair. Must never know how a prediction is made. */
import { useQuery } from '@tanstack/react-query'
import { ErrorState, LoadingState } from '@/components/ui/panel-state'
import { Guarded, Sheet } from '@/components/ui/sheet'
import { Verdict } from '@/components/ui/verdict'
import { taskQuery } from '@/lib/client/task'
import { taskVerdict } from '@/lib/view/task-verdict'
import { EvidencePanel } from './evidence-panel'
import { GroupsPanel } from './groups-panel'
import { NeighboursPanel } from './neighbours-panel'
import { StructurePanel } from './structure-panel'
import { TaskBar } from './task-bar'
import { TaskPicksPanel } from './task-picks-panel'
import { VariancePanel } from './variance-panel'

export function TaskPage({ run, task: id }: { run: string; task: string }) {
  const { data, error, refetch } = useQuery(taskQuery(run, id))
  // What stays on the screen while another task is asked for must not pass for it.
  const task = data?.task.id === id ? data : undefined
  if (task === undefined) {
    return (
      <>
        <TaskBar run={run} task={undefined} />
        {error === null ? (
          <LoadingState height={480} />
        ) : (
          <ErrorState title="Could not load the task" height={320} onRetry={() => void refetch()}>
            {error.message}
          </ErrorState>
        )}
      </>
    )
  }
  const { answer, context } = taskVerdict(task)
  return (
    <>
      <TaskBar run={run} task={task} />
      <Verdict context={context}>{answer}</Verdict>
      <Sheet key={id}>
        <EvidencePanel run={run} task={task} />
        <div className="col-span-5 min-w-0 max-[1000px]:col-span-12">
          <Guarded>
            <VariancePanel run={run} task={task} />
            <StructurePanel task={task} />
          </Guarded>
        </div>
        <TaskPicksPanel run={run} task={task} />
        <GroupsPanel run={run} task={task} />
        <NeighboursPanel run={run} task={task} kind="within" />
        <NeighboursPanel run={run} task={task} kind="cross" />
      </Sheet>
    </>
  )
}
