'use client'
/* Owns the side panel of the structure around a task: edges by hop, and how much of each environment is reached. */
import type { CSSProperties } from 'react'
import { tabPath } from '@/components/shell/run-tabs'
import { Button, ButtonLink } from '@/components/ui/button'
import type { GraphView } from '@/lib/contract/graph'
import { formatFixed } from '@/lib/view/format'
import { EDGE_KINDS } from '@/lib/view/graph-edges'
import { edgeCounts, type Focus, reachedRows } from '@/lib/view/graph-focus'
import { IslandTag } from './island-tag'
import { RelationLine } from './relation-line'

const ROW = { '--row': '28px' } as CSSProperties

function Head({ first, hops, last }: { first: string; hops: 1 | 2; last: string | null }) {
  return (
    <thead>
      <tr>
        <th scope="col">{first}</th>
        <th scope="col" className="num">
          1 hop
        </th>
        {hops === 2 && (
          <th scope="col" className="num">
            2 hops
          </th>
        )}
        {last !== null && (
          <th scope="col" className="num">
            {last}
          </th>
        )}
      </tr>
    </thead>
  )
}

export function FocusPanel({
  run,
  graph,
  hues,
  focus,
  onEvidence,
}: {
  run: string
  graph: GraphView
  hues: readonly number[]
  focus: Focus
  onEvidence: () => void
}) {
  const edges = edgeCounts(graph, focus)
  const rows = reachedRows(graph, focus)
  const { hops } = focus
  const id = graph.nodes.id[focus.task] ?? ''
  const of = rows.reduce((sum, row) => sum + row.of, 0)
  return (
    <>
      <p className="mt-[2px] mb-2 text-ink-2">
        Predicted {formatFixed(graph.nodes.predictedVariance[focus.task] ?? 0, 3)}, after{' '}
        {formatFixed(graph.nodes.groups[focus.task] ?? 0, 0)} groups of its own.
      </p>
      <table className="tbl" style={ROW} aria-label="Edges by hop">
        <Head first="edges" hops={hops} last={null} />
        <tbody>
          {EDGE_KINDS.map((kind) => (
            <tr key={kind}>
              <td className="py-px!">
                <span className="flex items-center gap-2">
                  <RelationLine kind={kind} />
                  {kind}
                </span>
              </td>
              <td className="num py-px!">{formatFixed(edges[kind].first, 0)}</td>
              {hops === 2 && <td className="num py-px!">{formatFixed(edges[kind].second, 0)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      <h4 className="mt-[14px] mb-[3px] text-13 font-semibold">Reached, by environment</h4>
      {rows.length === 0 ? (
        <p className="text-12 text-ink-3">No edge reaches the thresholds. Lower them to see further.</p>
      ) : (
        <table className="tbl" style={ROW} aria-label="Tasks reached, by environment">
          <Head first="env." hops={hops} last="of" />
          <tbody>
            {rows.map((row) => (
              <tr key={row.environment}>
                <td className="py-px!">
                  <IslandTag graph={graph} hues={hues} island={row.environment} />
                </td>
                <td className="num py-px!">{formatFixed(row.first, 0)}</td>
                {hops === 2 && <td className="num py-px!">{formatFixed(row.second, 0)}</td>}
                <td className="num py-px! text-ink-3">{formatFixed(row.of, 0)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <td>All</td>
              <td className="num">{formatFixed(focus.first.length, 0)}</td>
              {hops === 2 && <td className="num">{formatFixed(focus.second.length, 0)}</td>}
              <td className="num">{formatFixed(of, 0)}</td>
            </tr>
          </tfoot>
        </table>
      )}
      <p className="mt-[6px] text-12 text-ink-3">
        Stored edges at the thresholds below the graph. How much evidence comes along them is another question.
      </p>
      <p className="mt-[10px] flex gap-2">
        <Button onClick={onEvidence}>Evidence</Button>
        <ButtonLink href={tabPath(run, `tasks/${encodeURIComponent(id)}`)}>Open the task</ButtonLink>
      </p>
    </>
  )
}
