'use client'
/* Owns the plain table behind a chart: what "show as table" shows. Scrolls inside the panel's height; of a long one only the rows
   in sight are in the document. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import { formatFixed } from '@/lib/view/format'
import type { TableTwin, TwinCell } from '@/lib/view/table-twin'
import { WHOLE_ROWS } from './use-row-window'

const ROW = 25
/** A region that scrolls has to be reachable by keyboard. */
const SCROLLS = { tabIndex: 0 }

// A column of whole numbers stays whole; any other number column has three decimals, so that figures stand under each other.
function written(cell: TwinCell | undefined, whole: boolean): string {
  if (cell === null || cell === undefined) return 'n/a'
  return typeof cell === 'number' ? formatFixed(cell, whole ? 0 : 3) : String(cell)
}

export function TwinTable({ twin, height = 320 }: { twin: TableTwin; height?: number }) {
  const box = useRef<HTMLElement>(null)
  const long = twin.rows.length > WHOLE_ROWS
  const virtual = useVirtualizer({
    count: long ? twin.rows.length : 0,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: 10,
  })
  const numeric = twin.columns.map((_, i) => twin.rows.some((row) => typeof row[i] === 'number'))
  const whole = twin.columns.map((_, i) =>
    twin.rows.every((row) => typeof row[i] !== 'number' || Number.isInteger(row[i])),
  )
  const items = virtual.getVirtualItems()
  const shown = long ? items.map(({ index }) => index) : twin.rows.map((_, at) => at)
  const above = items[0]?.start ?? 0
  const below = long ? virtual.getTotalSize() - (items.at(-1)?.end ?? 0) : 0
  const spacer = (px: number) =>
    px > 0 && (
      <tr className="spacer">
        <td colSpan={twin.columns.length} style={{ height: px }} />
      </tr>
    )
  return (
    <section
      ref={box}
      className="tbl-scroll"
      style={{ maxHeight: height }}
      aria-label={`${twin.name}, as a table`}
      {...SCROLLS}
    >
      <table className="tbl" data-rows="small" aria-rowcount={long ? twin.rows.length + 1 : undefined}>
        <thead>
          <tr>
            {twin.columns.map((column, i) => (
              <th key={column} scope="col" className={numeric[i] === true ? 'num' : ''}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {spacer(above)}
          {shown.map((r) => {
            const row = twin.rows[r] ?? []
            return (
              <tr key={r} aria-rowindex={long ? r + 2 : undefined}>
                {twin.columns.map((column, i) => (
                  <td key={column} className={numeric[i] === true ? 'num' : ''}>
                    {row[i] === null || row[i] === undefined ? (
                      <span className="unit">n/a</span>
                    ) : (
                      written(row[i], whole[i] === true)
                    )}
                  </td>
                ))}
              </tr>
            )
          })}
          {spacer(below)}
        </tbody>
      </table>
    </section>
  )
}
