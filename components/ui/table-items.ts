/* Owns the flat list behind a long table: a row, and what is open under it, are two items, since each has a height of its own. */

export interface TableItem<Row> {
  key: string
  row: Row
  /** position among the rows, from 0 */
  at: number
  /** what is open under the row; null for the row itself */
  under: React.ReactNode | null
}

export function tableItems<Row>(
  rows: readonly Row[],
  rowKey: (row: Row) => string,
  opened: ((row: Row) => React.ReactNode) | undefined,
): TableItem<Row>[] {
  const items: TableItem<Row>[] = []
  for (const [at, row] of rows.entries()) {
    const key = rowKey(row)
    items.push({ key, row, at, under: null })
    const under = opened?.(row) ?? null
    if (under !== null) items.push({ key: `${key} open`, row, at, under })
  }
  return items
}
