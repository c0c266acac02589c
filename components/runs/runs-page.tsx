'use client'
/* Owns the Runs page: what is running, what needs a person, what can be started. */
import { useQuery } from '@tanstack/react-query'
import { useNow } from '@/components/shell/use-now'
import { ButtonLink } from '@/components/ui/button'
import { Panel } from '@/components/ui/panel'
import { ErrorState, LoadingState } from '@/components/ui/panel-state'
import { Guarded, Sheet } from '@/components/ui/sheet'
import { Verdict } from '@/components/ui/verdict'
import { runsQuery } from '@/lib/client/run'
import { taskSetsQuery } from '@/lib/client/task-set'
import type { StartDemo, StartRun } from '@/lib/contract/action'
import { runsVerdict } from '@/lib/view/runs-verdict'
import { ImportFiles } from './import-files'
import { RunsEmpty } from './runs-empty'
import { RunsTable } from './runs-table'
import { DEMO_WORDS, StartDemoButton } from './start-demo'
import { TaskSetsPanel } from './task-sets-panel'

export function RunsPage({ startDemo, startRun }: { startDemo: StartDemo; startRun: StartRun }) {
  const { data, error, refetch } = useQuery(runsQuery())
  const taskSets = useQuery(taskSetsQuery())
  const now = useNow()
  if (data === undefined) {
    if (error === null) return <LoadingState height={420} />
    return (
      <ErrorState height={420} title="Could not load the runs" onRetry={() => void refetch()}>
        {error.message}
      </ErrorState>
    )
  }
  const notRun = taskSets.data?.items.filter((set) => set.runs === 0) ?? []
  if (data.items.length === 0) return <RunsEmpty notRun={notRun} startDemo={startDemo} startRun={startRun} />
  const verdict = runsVerdict(data.items, now)
  return (
    <>
      <Verdict context={verdict.context ?? undefined}>{verdict.sentence}</Verdict>
      <Guarded>
        <RunsTable runs={data.items} />
        <TaskSetsPanel sets={notRun} startRun={startRun} />
      </Guarded>
      <Sheet>
        <Panel span={4} title="Start the demo run" sub="no trainer needed">
          <p className="text-ink-2">{DEMO_WORDS}</p>
          <StartDemoButton startDemo={startDemo} />
        </Panel>
        <Panel span={4} title="Connect a trainer" sub="any training loop, over HTTP">
          <p className="text-ink-2">
            Ask for a batch, report what came back: about ten lines. If this server cannot be reached, the trainer goes
            on with uniform choice.
          </p>
          <ButtonLink className="mt-[10px]" href="/connect">
            Connect a trainer
          </ButtonLink>
        </Panel>
        <Panel span={4} title="Import files" sub="history of a run that is over">
          <ImportFiles />
        </Panel>
      </Sheet>
    </>
  )
}
