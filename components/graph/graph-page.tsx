'use client'
/* Owns the Graph page: asks for the graph and shows it, or says why there is none. Older data stays while it is asked again. */
import { useQuery } from '@tanstack/react-query'
import { ButtonLink } from '@/components/ui/button'
import { ErrorState, LoadingState, NothingState } from '@/components/ui/panel-state'
import { graphQuery } from '@/lib/client/graph'
import { GraphWorkspace } from './graph-workspace'

const HEIGHT = 480

export function GraphPage({ run }: { run: string }) {
  const { data, error, isPlaceholderData, refetch } = useQuery(graphQuery(run))
  // a placeholder is another run's graph
  if (data === undefined || isPlaceholderData) {
    if (error === null) return <LoadingState height={HEIGHT} />
    return (
      <ErrorState title="The graph could not be loaded" height={HEIGHT} onRetry={() => void refetch()}>
        {error.message}
      </ErrorState>
    )
  }
  if (data.nodes.id.length === 0) {
    return (
      <NothingState
        title="The task set of this run has no task"
        height={HEIGHT}
        action={<ButtonLink href="/">To the runs</ButtonLink>}
      >
        A graph needs tasks. Register a task set with at least one and start a run on it.
      </NothingState>
    )
  }
  return (
    <>
      {error !== null && (
        <p className="mb-3 flex items-center gap-3 text-ink-2" role="status">
          {error.message} The graph as of batch {data.batch} is shown.
          <button type="button" className="btn" data-size="small" onClick={() => void refetch()}>
            Try again
          </button>
        </p>
      )}
      <GraphWorkspace key={run} run={run} graph={data} />
    </>
  )
}
