/* Owns the order of rows once a head was pressed. Invariant: unknown (null) last in both directions, ties keep the caller's order. */

export interface SortState {
  key: string
  direction: 'ascending' | 'descending'
}

export function sortRows<Row>(
  rows: readonly Row[],
  by: ((row: Row) => number | string | null) | undefined,
  sort: SortState | null,
): readonly Row[] {
  if (sort === null || by === undefined) return rows
  const sign = sort.direction === 'ascending' ? 1 : -1
  return [...rows].sort((a, b) => {
    const [x, y] = [by(a), by(b)]
    if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1
    if (typeof x === 'number' && typeof y === 'number') return (x - y) * sign
    return String(x).localeCompare(String(y), 'en', { numeric: true }) * sign
  })
}

/** The next state when a head is pressed: numbers start with the largest, text with a. */
export function nextSort(key: string, sort: SortState | null, numeric: boolean): SortState {
  if (sort?.key !== key) return { key, direction: numeric ? 'descending' : 'ascending' }
  return { key, direction: sort.direction === 'ascending' ? 'descending' : 'ascending' }
}
