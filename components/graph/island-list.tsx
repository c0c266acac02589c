'use client'
/* Owns the list of islands by the variance they hold: legend, filter and table at once. */
import type { CSSProperties } from 'react'
import { Button } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/checkbox'
import type { GraphView } from '@/lib/contract/graph'
import { envColour } from '@/lib/view/env-colour'
import { formatFixed } from '@/lib/view/format'
import { roundToSum } from '@/lib/view/sum-rounding'

const BAR = 22

export interface IslandListProps {
  graph: GraphView
  hues: readonly number[]
  hidden: ReadonlySet<number>
  onShow: (island: number, shown: boolean) => void
  onShowAll: () => void
  /** zooms to it, or selects its circle */
  onIsland: (island: number) => void
  isCollapsed: boolean
  /** the one that stands open among circles */
  open: number | null
  /** its tasks are on their way */
  isOpening: boolean
  onClose: () => void
}

export function IslandList(props: IslandListProps) {
  const { graph, hues, hidden, isCollapsed, open, onShow, onShowAll, onIsland } = props
  const { environments } = graph
  const order = [...environments.keys()].sort(
    (a, b) => (environments[b]?.variance ?? 0) - (environments[a]?.variance ?? 0) || a - b,
  )
  const total = environments.reduce((sum, { variance }) => sum + variance, 0)
  const whole = total > 0 ? 100 : 0
  const held = roundToSum(
    environments.map(({ variance }) => (total > 0 ? (100 * variance) / total : 0)),
    whole,
    1,
  )
  const most = Math.max(1e-9, ...held)
  const sum = (of: (island: GraphView['environments'][number]) => number) =>
    environments.reduce((before, island) => before + of(island), 0)
  return (
    <section aria-label="Islands, by variance they hold">
      <h3 className="mb-[3px] text-13 font-semibold">Islands, by variance they hold</h3>
      {open !== null && (
        <p className="mb-2 flex items-center gap-2">
          <span className="min-w-0 truncate">
            {graph.environments[open]?.name} {props.isOpening ? 'is being opened.' : 'is open.'}
          </span>
          <Button size="small" onClick={props.onClose}>
            Close this island
          </Button>
        </p>
      )}
      <table className="tbl" style={{ '--row': '28px' } as CSSProperties}>
        <thead>
          <tr>
            <th scope="col">
              <span className="sr-only">shown</span>
            </th>
            <th scope="col">env.</th>
            <th scope="col" className="num">
              tasks
            </th>
            <th scope="col" className="num">
              <span className="explained" title="Tasks with a complete group by then; the others are hollow points">
                tried
              </span>
            </th>
            <th scope="col" className="num">
              <span className="explained" title="Sum of its tasks' predicted variance, as a part of all islands'">
                held
              </span>
            </th>
            <th scope="col" className="num">
              picks
            </th>
          </tr>
        </thead>
        <tbody>
          {order.map((i) => {
            const island = environments[i]
            if (island === undefined) return null
            return (
              <tr key={island.id} data-island={island.code} className={hidden.has(i) ? 'text-ink-3' : ''}>
                <td className="w-6 py-px!">
                  <Checkbox
                    label={`Show ${island.code}`}
                    checked={!hidden.has(i)}
                    onChange={(shown) => onShow(i, shown)}
                  />
                </td>
                <td className="py-px!">
                  <button
                    type="button"
                    className="env-tag min-h-6"
                    style={{ '--env': envColour(hues[i] ?? null) } as CSSProperties}
                    title={isCollapsed ? island.name : `Zoom to ${island.name}`}
                    onClick={() => onIsland(i)}
                  >
                    {island.code}
                  </button>
                </td>
                <td className="num py-px!">{formatFixed(island.tasks, 0)}</td>
                <td className="num py-px!">{formatFixed(island.tried, 0)}</td>
                <td className="num py-px!">
                  <span className="flex items-center justify-end gap-[6px]">
                    <i
                      className="h-2 bg-term-exploit"
                      style={{ width: Math.round((BAR * (held[i] ?? 0)) / most) }}
                      aria-hidden="true"
                    />
                    <span>
                      {formatFixed(held[i] ?? 0, 1)} <span className="unit">%</span>
                    </span>
                  </span>
                </td>
                <td className="num py-px!">{formatFixed(island.picks, 0)}</td>
              </tr>
            )
          })}
        </tbody>
        <tfoot>
          <tr>
            <td />
            <td className="whitespace-nowrap">All {formatFixed(environments.length, 0)}</td>
            <td className="num">
              {formatFixed(
                sum(({ tasks }) => tasks),
                0,
              )}
            </td>
            <td className="num">
              {formatFixed(
                sum(({ tried }) => tried),
                0,
              )}
            </td>
            <td className="num">
              {formatFixed(whole, 1)} <span className="unit">%</span>
            </td>
            <td className="num">
              {formatFixed(
                sum(({ picks }) => picks),
                0,
              )}
            </td>
          </tr>
        </tfoot>
      </table>
      {hidden.size > 0 && (
        <button type="button" className="btn mt-1" data-size="small" onClick={onShowAll}>
          Show all islands
        </button>
      )}
      <p className="mt-[6px] text-12 text-ink-3">
        {isCollapsed
          ? 'An environment is one circle; select it to see its edges and to open it. The layout does not move.'
          : "Click a task for its evidence, an island's name to zoom to it. The layout was stored with the task set and does not move."}
      </p>
    </section>
  )
}
