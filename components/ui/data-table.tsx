'use client'
/* Owns the rich table: heads that sort, numbers right, a row as a link, selection, an opened row, totals, j and k.
   Must never know what a row is. Invariant: the order is the caller's unless a head was pressed; unknown values sort last. */
import { useRouter } from 'next/navigation'
import { Fragment, type ReactNode } from 'react'
import { DataHead } from './data-head'
import { DataRow } from './data-row'
import { type SortState, sortRows } from './sort-rows'
import { useRowKeys } from './use-row-keys'

export interface Column<Row> {
  key: string
  head: ReactNode
  /** Numbers stand right. */
  align?: 'left' | 'right'
  /** Hover on the head: how the number is computed. */
  explain?: string
  /** What the column sorts by; without it the head does not sort. */
  sortBy?: (row: Row) => number | string | null
  cell: (row: Row) => ReactNode
  foot?: ReactNode
  /** Hidden below 1100 px. */
  low?: boolean
  width?: number | string
  className?: string
}

interface DataTableProps<Row> {
  /** What the table is called when read out. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** Where a press on the row leads. */
  rowHref?: (row: Row) => string
  onRow?: (row: Row) => void
  selected?: (row: Row) => boolean
  /** What opens under a row, or null. */
  opened?: (row: Row) => ReactNode
  sort?: SortState | null
  onSort?: (sort: SortState) => void
  /** tight: rows with a control in them, still 32 px */
  size?: 'one' | 'tight' | 'two' | 'small'
  /** 8 px inside the outer columns, for rows that can be selected. */
  padded?: boolean
  /** Totals under the rows. */
  withFoot?: boolean
  /** j, k and Enter move in this table; one table a page. */
  keys?: boolean
  className?: string
}

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { columns, rows, rowKey, sort = null, size = 'one' } = props
  const sorted = sortRows(rows, columns.find((column) => column.key === sort?.key)?.sortBy, sort)
  const router = useRouter()
  const current = useRowKeys(props.keys === true, sorted.map(rowKey), (key) => {
    const row = sorted.find((candidate) => rowKey(candidate) === key)
    if (row === undefined) return
    const href = props.rowHref?.(row)
    if (props.onRow !== undefined) props.onRow(row)
    else if (href !== undefined) router.push(href)
  })
  const hidden = columns.filter((column) => column.low === true)
  return (
    <>
      <div className="tbl-scroll">
        <table
          ref={current.table}
          className={`tbl ${props.className ?? ''}`}
          aria-label={props.label}
          data-rows={size === 'one' ? undefined : size}
          data-pad={props.padded === true ? '' : undefined}
        >
          <thead>
            <tr>
              {columns.map((column) => (
                <DataHead key={column.key} column={column} sort={sort} onSort={props.onSort} />
              ))}
            </tr>
          </thead>
          <tbody>
            {sorted.map((row) => {
              const key = rowKey(row)
              const open = props.opened?.(row) ?? null
              return (
                <Fragment key={key}>
                  <DataRow
                    row={row}
                    id={key}
                    columns={columns}
                    href={props.rowHref?.(row)}
                    onPress={props.onRow === undefined ? undefined : () => props.onRow?.(row)}
                    selected={props.selected?.(row) ?? open !== null}
                    current={current.key === key}
                  />
                  {open !== null && (
                    <tr data-open-of={key}>
                      <td colSpan={columns.length}>{open}</td>
                    </tr>
                  )}
                </Fragment>
              )
            })}
          </tbody>
          {props.withFoot === true && (
            <tfoot>
              <tr>
                {columns.map((column) => (
                  <td
                    key={column.key}
                    className={`${column.align === 'right' ? 'num' : ''} ${column.low === true ? 'low' : ''}`}
                  >
                    {column.foot}
                  </td>
                ))}
              </tr>
            </tfoot>
          )}
        </table>
      </div>
      {hidden.length > 0 && (
        <p className="less mt-[6px] text-12 text-ink-3">
          {hidden.length} {hidden.length === 1 ? 'column' : 'columns'} hidden:{' '}
          {hidden.map((column) => (typeof column.head === 'string' ? column.head : column.key)).join(', ')}.
        </p>
      )}
    </>
  )
}
