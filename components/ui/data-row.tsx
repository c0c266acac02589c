'use client'
/* Owns one row: a press anywhere but on a control is the row's link or action. The first link in it is the keyboard's way. */
import { useRouter } from 'next/navigation'
import type { MouseEvent } from 'react'
import type { Column } from './data-table'

export function DataRow<Row>({
  row,
  id,
  columns,
  href,
  onPress,
  selected,
  current,
  at,
  position,
  measure,
}: {
  row: Row
  id: string
  columns: readonly Column<Row>[]
  href?: string
  onPress?: () => void
  selected: boolean
  current: boolean
  /** its item of the long table */
  at: number
  /** counted from 1 with the head, where not all rows are in the document */
  position?: number
  measure: (element: HTMLTableRowElement | null) => void
}) {
  const router = useRouter()
  const press = (event: MouseEvent) => {
    const on = event.target instanceof Element ? event.target.closest('a, button, input, label, summary') : null
    if (on !== null || window.getSelection()?.toString() !== '') return
    if (onPress !== undefined) onPress()
    else if (href !== undefined) router.push(href)
  }
  return (
    // the row repeats for the pointer what its first link or button does for the keyboard
    <tr
      ref={measure}
      data-index={at}
      data-row={id}
      aria-rowindex={position}
      aria-selected={selected ? true : undefined}
      data-current={current ? '' : undefined}
      onClick={href === undefined && onPress === undefined ? undefined : press}
    >
      {columns.map((column) => (
        <td
          key={column.key}
          className={`${column.align === 'right' ? 'num' : ''} ${column.low === true ? 'low' : ''} ${column.className ?? ''}`}
        >
          {column.cell(row)}
        </td>
      ))}
    </tr>
  )
}
