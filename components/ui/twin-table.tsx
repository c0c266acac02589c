/* Owns the plain table behind a chart: what "show as table" shows. Scrolls inside the panel's height. */
import { formatFixed } from '@/lib/view/format'
import type { TableTwin, TwinCell } from '@/lib/view/table-twin'

// A column of whole numbers stays whole; any other number column has three decimals, so that figures stand under each other.
function written(cell: TwinCell | undefined, whole: boolean): string {
  if (cell === null || cell === undefined) return 'n/a'
  return typeof cell === 'number' ? formatFixed(cell, whole ? 0 : 3) : String(cell)
}

export function TwinTable({ twin, height = 320 }: { twin: TableTwin; height?: number }) {
  const numeric = twin.columns.map((_, i) => twin.rows.some((row) => typeof row[i] === 'number'))
  const whole = twin.columns.map((_, i) =>
    twin.rows.every((row) => typeof row[i] !== 'number' || Number.isInteger(row[i])),
  )
  return (
    // A region that scrolls has to be reachable by keyboard.
    <section className="tbl-scroll" style={{ maxHeight: height }} aria-label={`${twin.name}, as a table`}>
      <table className="tbl" data-rows="small">
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
          {twin.rows.map((row, r) => (
            <tr key={`${String(r)}-${written(row[0], true)}`}>
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
          ))}
        </tbody>
      </table>
    </section>
  )
}
