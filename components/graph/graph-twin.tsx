'use client'
/* Owns the place of the drawing while the table stands in for it: by wish, or where the browser cannot draw. */
import type { EvidenceView } from '@/lib/contract/evidence'
import type { GraphView } from '@/lib/contract/graph'
import type { Focus } from '@/lib/view/graph-focus'
import { EvidenceTable } from './evidence-table'
import { TaskTable } from './task-table'

export function GraphTwin({
  graph,
  hues,
  hidden,
  focus,
  evidence,
  drawable,
  height,
  onTask,
}: {
  graph: GraphView
  hues: readonly number[]
  hidden: ReadonlySet<number>
  focus: Focus | null
  /** the evidence that is shown, if any */
  evidence: EvidenceView | undefined
  drawable: boolean
  height: number
  onTask: (node: number) => void
}) {
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
      {evidence === undefined ? (
        <TaskTable graph={graph} hues={hues} hidden={hidden} focus={focus} onTask={onTask} />
      ) : (
        <EvidenceTable evidence={evidence} />
      )}
    </section>
  )
}
