'use client'
/* Owns one head of a rich table: the word, how it is computed on hover, the sort arrow on the sorted head only. */
import type { Column } from './data-table'
import { Icon } from './icon'
import { nextSort, type SortState } from './sort-rows'

export function DataHead<Row>({
  column,
  sort,
  onSort,
}: {
  column: Column<Row>
  sort: SortState | null
  onSort?: (sort: SortState) => void
}) {
  const sorted = sort?.key === column.key ? sort.direction : undefined
  const word = (
    <span className={column.explain === undefined ? '' : 'explained'} title={column.explain}>
      {column.head}
    </span>
  )
  const arrow = sorted !== undefined && <Icon name={sorted === 'ascending' ? 'up' : 'down'} />
  return (
    <th
      scope="col"
      aria-sort={sorted}
      style={{ width: column.width }}
      className={`${column.align === 'right' ? 'num' : ''} ${column.low === true ? 'low' : ''} ${column.className ?? ''}`}
    >
      {column.sortBy !== undefined && onSort !== undefined ? (
        <button type="button" onClick={() => onSort(nextSort(column.key, sort, column.align === 'right'))}>
          {word}
          {arrow}
        </button>
      ) : (
        <>
          {word}
          {arrow}
        </>
      )}
    </th>
  )
}
