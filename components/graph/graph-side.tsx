'use client'
/* Owns the side panel: the islands of the whole graph, or what is known of the selected task. */
import { ErrorState, LoadingState } from '@/components/ui/panel-state'
import type { EvidenceView } from '@/lib/contract/evidence'
import type { GraphView } from '@/lib/contract/graph'
import type { GraphWorld, ShownPairs } from '@/lib/view/graph-circles'
import type { Focus } from '@/lib/view/graph-focus'
import { CirclePanel } from './circle-panel'
import { EvidencePanel } from './evidence-panel'
import { FocusPanel } from './focus-panel'
import { IslandList } from './island-list'
import { SteerSelected } from './steer-selected'
import { TaskHeading } from './task-heading'
import type { ChangeAddress } from './use-graph-address'

export interface GraphSideProps {
  run: string
  graph: GraphView
  hues: readonly number[]
  hidden: ReadonlySet<number>
  world: GraphWorld
  /** null where all environments stand open */
  lines: ShownPairs | null
  /** the environment that stands open among circles */
  open: number | null
  selected: number | null
  focus: Focus | null
  evidence: EvidenceView | undefined
  /** the evidence is of another batch, this one's is being read */
  isReading: boolean
  /** why the evidence could not be had, or null */
  failure: string | null
  from: string | null
  change: ChangeAddress
  onRetry: () => void
  onIsland: (island: number) => void
  onSelect: (task: string) => void
  onClose: () => void
}

export function GraphSide(props: GraphSideProps) {
  const { graph, hues, selected } = props
  const island = selected === null ? null : (graph.nodes.environment[selected] ?? null)
  return (
    <aside className="min-w-0 overflow-auto border-l border-line-1 pt-[10px] pr-[20px] pb-[20px] pl-[16px] max-md:pr-[16px] max-sm:border-t max-sm:border-l-0">
      {selected === null || island === null ? (
        <WholeSide {...props} />
      ) : (
        <>
          <TaskHeading
            taskKey={graph.nodes.key[selected] ?? ''}
            island={graph.environments[island]}
            hue={hues[island] ?? null}
            onClose={props.onClose}
            steer={<SteerSelected run={props.run} graph={graph} hues={hues} selected={selected} />}
          />
          <TaskSide {...props} />
        </>
      )}
    </aside>
  )
}

function WholeSide({ run, graph, hues, hidden, world, lines, open, change, onIsland, onClose }: GraphSideProps) {
  const hide = (islands: ReadonlySet<number>) =>
    change({ hidden: [...islands].sort((a, b) => a - b).flatMap((i) => graph.environments[i]?.id ?? []) })
  if (world.island !== null && lines !== null) {
    const at = world.island
    return (
      <CirclePanel
        run={run}
        graph={graph}
        island={at}
        lines={lines}
        onIsland={onIsland}
        onOpen={() => change({ open: graph.environments[at]?.id ?? null, island: null }, true)}
        onClose={onClose}
      />
    )
  }
  return (
    <IslandList
      isCollapsed={world.closed.size > 0}
      open={open}
      isOpening={open !== null && world.closed.has(open)}
      onClose={() => change({ open: null }, true)}
      graph={graph}
      hues={hues}
      hidden={hidden}
      onShow={(island, shown) => {
        const next = new Set(hidden)
        if (shown) next.delete(island)
        else next.add(island)
        hide(next)
      }}
      onShowAll={() => hide(new Set())}
      onIsland={onIsland}
    />
  )
}

function TaskSide({
  run,
  graph,
  hues,
  focus,
  evidence,
  isReading,
  failure,
  from,
  change,
  onSelect,
  onRetry,
}: GraphSideProps) {
  if (focus !== null) {
    return (
      <FocusPanel run={run} graph={graph} hues={hues} focus={focus} onEvidence={() => change({ hops: null }, true)} />
    )
  }
  if (evidence !== undefined) {
    return (
      <>
        {isReading && (
          <p className="mt-1 text-12 text-ink-2" role="status">
            Reading the evidence of batch {graph.batch}; this is of batch {evidence.batch}.
          </p>
        )}
        <EvidencePanel
          run={run}
          evidence={evidence}
          from={from}
          onFrom={(task) => change({ from: task })}
          onSelect={onSelect}
        />
      </>
    )
  }
  if (failure === null) {
    return (
      <div className="mt-[10px]">
        <LoadingState height={240} />
      </div>
    )
  }
  return (
    <div className="mt-[10px]">
      <ErrorState title="The evidence could not be loaded" onRetry={onRetry}>
        {failure} The graph itself is still valid.
      </ErrorState>
    </div>
  )
}
