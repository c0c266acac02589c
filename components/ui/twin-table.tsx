/* Owns the plain table behind a chart: what "show as table" shows. Scrolls inside the panel's height. */
import type { TableTwin, TwinCell } from '@/lib/view/table-twin'

function written(cell: TwinCell | undefined): string {
  if (cell === null || cell === undefined) return 'n/a'
  return typeof cell === 'number' ? String(Number(cell.toPrecision(6))).replace('-', '\u2212') : String(cell)
}

export function TwinTable({ twin, height = 320 }: { twin: TableTwin; height?: number }) {
  const numeric = twin.columns.map((_, i) => twin.rows.some((row) => typeof row[i] === 'number'))
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
            <tr key={`${String(r)}-${written(row[0])}`}>
              {twin.columns.map((column, i) => (
                <td key={column} className={numeric[i] === true ? 'num' : ''}>
                  {row[i] === null || row[i] === undefined ? <span className="unit">n/a</span> : written(row[i])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
