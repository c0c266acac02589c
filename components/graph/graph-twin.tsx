'use client'
/* Owns the place of the drawing while the table stands in for it: by wish, or where the browser cannot draw. */
import { useMemo } from 'react'
import type { EvidenceView } from '@/lib/contract/evidence'
import type { GraphView } from '@/lib/contract/graph'
import type { GraphWorld } from '@/lib/view/graph-circles'
import type { Focus } from '@/lib/view/graph-focus'
import { CircleTable } from './circle-table'
import { EvidenceTable } from './evidence-table'
import { TaskTable } from './task-table'

export function GraphTwin({
  graph,
  hues,
  hidden,
  world,
  open,
  selected,
  focus,
  evidence,
  drawable,
  height,
  onTask,
  onIsland,
}: {
  graph: GraphView
  hues: readonly number[]
  hidden: ReadonlySet<number>
  world: GraphWorld
  /** the environment that stands open among circles: its tasks are listed */
  open: number | null
  selected: number | null
  focus: Focus | null
  /** the evidence that is shown, if any */
  evidence: EvidenceView | undefined
  drawable: boolean
  height: number
  onTask: (node: number) => void
  onIsland: (island: number) => void
}) {
  const unseen = useMemo(() => new Set([...hidden, ...world.closed]), [hidden, world.closed])
  return (
    <section
      aria-label="The graph as a table"
      className="overflow-auto px-[20px] pt-[8px] max-md:px-[16px]"
      style={{ height }}
    >
      {!drawable && (
        <p className="pb-2 text-ink-2" role="status">
          This browser cannot draw the graph, as WebGL is missing or was switched off. The table holds the same content.
        </p>
      )}
      {evidence !== undefined ? (
        <EvidenceTable evidence={evidence} />
      ) : focus === null && world.closed.size > 0 && open === null ? (
        <CircleTable graph={graph} hidden={hidden} selected={world.island} onIsland={onIsland} />
      ) : (
        <TaskTable
          graph={graph}
          hues={hues}
          hidden={focus === null ? unseen : hidden}
          focus={focus}
          selected={selected}
          onTask={onTask}
        />
      )}
    </section>
  )
}
