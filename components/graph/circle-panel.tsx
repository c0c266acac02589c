/* Owns the side panel of one environment among circles: what it holds, with whom it shares edges, and opening it. */
import type { CSSProperties } from 'react'
import { tabPath } from '@/components/shell/run-tabs'
import { Button, ButtonLink, IconButton } from '@/components/ui/button'
import type { GraphView } from '@/lib/contract/graph'
import { formatCount, formatFixed } from '@/lib/view/format'
import { meanVariance, type ShownPairs } from '@/lib/view/graph-circles'
import { RelationLine } from './relation-line'

const ROW = { '--row': '28px' } as CSSProperties

export function CirclePanel({
  run,
  graph,
  island,
  lines,
  onIsland,
  onOpen,
  onClose,
}: {
  run: string
  graph: GraphView
  island: number
  lines: ShownPairs
  onIsland: (island: number) => void
  onOpen: () => void
  onClose: () => void
}) {
  const shown = graph.environments[island]
  if (shown === undefined) return null
  const mean = formatFixed(meanVariance(shown), 3)
  return (
    <>
      <div className="flex items-center gap-2">
        <h3 className="min-w-0 truncate text-18 font-semibold" title={shown.name}>
          {shown.name}
        </h3>
        <span className="ml-auto flex-none">
          <IconButton kind="quiet" size="small" icon="close" label="Close, back to all islands" onClick={onClose} />
        </span>
      </div>
      <p className="mt-[2px] mb-2 text-ink-2">
        {formatCount(shown.tasks, 'task')}, {formatFixed(shown.tried, 0)} tried, mean variance {mean},{' '}
        {formatCount(shown.picks, 'pick')} in batch {graph.batch}.
      </p>
      <p className="mb-1 flex flex-wrap items-center gap-2">
        <Button onClick={onOpen}>Open this island</Button>
        <ButtonLink href={tabPath(run, 'environments')}>Environments</ButtonLink>
      </p>
      <h4 className="mt-[14px] mb-[3px] text-13 font-semibold">Evidence goes to and from</h4>
      {lines.own.length === 0 ? (
        <p className="text-12 text-ink-3">No cross edge of it reaches the threshold.</p>
      ) : (
        <table className="tbl" style={ROW} aria-label={`Environments that share edges with ${shown.name}`}>
          <thead>
            <tr>
              <th scope="col">environment</th>
              <th scope="col" className="num">
                edges
              </th>
              <th scope="col" className="num">
                <span className="explained" title="Mean weight of the edges between the two, 0 to 1">
                  weight
                </span>
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.own.map((pair) => {
              const other = pair.a === island ? pair.b : pair.a
              return (
                <tr key={other}>
                  <td className="w-full max-w-0 py-px!">
                    <span className="flex items-center gap-2">
                      <RelationLine kind="cross" />
                      <button
                        type="button"
                        className="min-h-6 min-w-0 truncate text-left"
                        onClick={() => onIsland(other)}
                      >
                        {graph.environments[other]?.name ?? ''}
                      </button>
                    </span>
                  </td>
                  <td className="num py-px!">{formatFixed(pair.edges, 0)}</td>
                  <td className="num py-px!">{formatFixed(pair.weight, 2)}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
      <p className="mt-[6px] text-12 text-ink-3">
        An environment is one circle; its edges to another are one line. Nothing is left out of the table.
      </p>
    </>
  )
}
