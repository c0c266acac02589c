'use client'
/* Owns the Environments page: who is starved, saturated, broken; and what to do about it in place. */
import { useQuery } from '@tanstack/react-query'
import { ErrorState, LoadingState, NothingState } from '@/components/ui/panel-state'
import { Guarded } from '@/components/ui/sheet'
import { Verdict } from '@/components/ui/verdict'
import { environmentsQuery } from '@/lib/client/environment'
import { runQuery } from '@/lib/client/run'
import { environmentsVerdict } from '@/lib/view/environments-verdict'
import { EnvironmentsTable } from './environments-table'
import { SeriesPanel } from './series-panel'
import type { SteerActions } from './use-steer'

export function EnvironmentsPage({ run, actions }: { run: string; actions: SteerActions }) {
  const environments = useQuery(environmentsQuery(run))
  const summary = useQuery(runQuery(run))
  if (environments.data === undefined || summary.data === undefined) {
    const error = environments.error ?? summary.error
    if (error === null) return <LoadingState height={520} />
    return (
      <ErrorState height={420} title="Could not load the environments" onRetry={() => void environments.refetch()}>
        {error.message}
      </ErrorState>
    )
  }
  const rows = environments.data.items
  if (rows.length === 0) return <NothingState title="No environment">This run's task set is empty.</NothingState>
  const verdict = environmentsVerdict(rows)
  return (
    <>
      <Verdict context={verdict.context ?? undefined}>{verdict.sentence}</Verdict>
      <Guarded>
        <EnvironmentsTable run={run} summary={summary.data} rows={rows} actions={actions} />
        <SeriesPanel run={run} uniform={summary.data.uniformShareInformative} />
      </Guarded>
    </>
  )
}
