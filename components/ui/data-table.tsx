'use client'
/* Owns the rich table: heads that sort, numbers right, a row as a link, selection, an opened row, totals, chosen columns, j and k.
   Must never know what a row is. Invariant: the order is the caller's unless a head was pressed; unknown values sort last;
   above forty rows only those in the window are in the document. */
import { useRouter } from 'next/navigation'
import { type ReactNode, useRef } from 'react'
import { useColumnChoice } from './column-choice'
import { ColumnMenu } from './column-menu'
import { DataHead } from './data-head'
import { DataRow } from './data-row'
import { type SortState, sortRows } from './sort-rows'
import { tableItems } from './table-items'
import { useRowKeys } from './use-row-keys'
import { useRowWindow, WHOLE_ROWS } from './use-row-window'

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

const HEIGHTS = { one: 33, tight: 33, two: 45, small: 25 }
/** Fewer columns than this are all needed. */
const CHOOSE_FROM = 5

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { rows, rowKey, sort = null, size = 'one' } = props
  const [away, choose] = useColumnChoice(props.label)
  const columns = props.columns.filter((column, i) => i === 0 || !away.includes(column.key))
  const sorted = sortRows(rows, props.columns.find((column) => column.key === sort?.key)?.sortBy, sort)
  const items = tableItems(sorted, rowKey, props.opened)
  const table = useRef<HTMLTableElement>(null)
  const view = useRowWindow(table, items.length, HEIGHTS[size])
  const router = useRouter()
  const current = useRowKeys(
    table,
    props.keys === true,
    sorted.map(rowKey),
    (key) => {
      const row = sorted.find((candidate) => rowKey(candidate) === key)
      if (row === undefined) return
      const href = props.rowHref?.(row)
      if (props.onRow !== undefined) props.onRow(row)
      else if (href !== undefined) router.push(href)
    },
    (key) => view.reveal(items.findIndex((item) => item.key === key)),
  )
  const narrow = columns.filter((column) => column.low === true)
  const long = items.length > WHOLE_ROWS
  const spacer = (height: number) =>
    height > 0 && (
      <tr className="spacer">
        <td colSpan={columns.length} style={{ height }} />
      </tr>
    )
  return (
    <>
      {props.columns.length >= CHOOSE_FROM && (
        <ColumnMenu label={props.label} columns={props.columns} hidden={away} choose={choose} />
      )}
      <div className="tbl-scroll">
        <table
          ref={table}
          className={`tbl ${props.className ?? ''}`}
          aria-label={props.label}
          aria-rowcount={long ? sorted.length + 1 : undefined}
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
            {spacer(view.above)}
            {view.shown.map((at) => {
              const item = items[at]
              if (item === undefined) return null
              if (item.under !== null) {
                return (
                  <tr key={item.key} ref={view.measure} data-index={at} data-open-of={rowKey(item.row)}>
                    <td colSpan={columns.length}>
                      <div className="opened">{item.under}</div>
                    </td>
                  </tr>
                )
              }
              return (
                <DataRow
                  key={item.key}
                  row={item.row}
                  id={item.key}
                  at={at}
                  position={long ? item.at + 2 : undefined}
                  measure={view.measure}
                  columns={columns}
                  href={props.rowHref?.(item.row)}
                  onPress={props.onRow === undefined ? undefined : () => props.onRow?.(item.row)}
                  selected={props.selected?.(item.row) ?? items[at + 1]?.at === item.at}
                  current={current === item.key}
                />
              )
            })}
            {spacer(view.below)}
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
      {narrow.length > 0 && (
        <p className="less mt-[6px] text-12 text-ink-3">
          {narrow.length} {narrow.length === 1 ? 'column' : 'columns'} hidden:{' '}
          {narrow.map((column) => (typeof column.head === 'string' ? column.head : column.key)).join(', ')}.
        </p>
      )}
    </>
  )
}
