'use client'
/* Owns the Graph page: asks for the graph and shows it, or says why there is none. Older data stays while it is asked again. */
import { ButtonLink } from '@/components/ui/button'
import { ErrorState, LoadingState, NothingState } from '@/components/ui/panel-state'
import { GraphWorkspace } from './graph-workspace'
import { useGraph } from './use-graph'
import { useGraphAddress } from './use-graph-address'

const HEIGHT = 480

export function GraphPage({ run }: { run: string }) {
  // another run's graph must not stand in while this one is on its way
  return <GraphOfRun key={run} run={run} />
}

function GraphOfRun({ run }: { run: string }) {
  const { address, change } = useGraphAddress()
  const { graph, isPending, noBatch, error, retry } = useGraph(run, address)
  if (graph === undefined) {
    if (error === null) return <LoadingState height={HEIGHT} />
    return (
      <ErrorState title="The graph could not be loaded" height={HEIGHT} onRetry={retry}>
        {error.message}
      </ErrorState>
    )
  }
  if (graph.total === 0) {
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
          {error.message} The graph as of batch {graph.batch} is shown.
          <button type="button" className="btn" data-size="small" onClick={retry}>
            Try again
          </button>
        </p>
      )}
      {noBatch !== null && (
        <p className="mb-3 flex items-center gap-3 text-ink-2" role="status">
          There is no batch {noBatch} in this run. The graph as of now is shown.
          <button type="button" className="btn" data-size="small" onClick={() => change({ batch: null })}>
            Show the newest
          </button>
        </p>
      )}
      <GraphWorkspace run={run} graph={graph} isPending={isPending} address={address} change={change} />
    </>
  )
}
