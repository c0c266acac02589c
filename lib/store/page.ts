/**
 * Pages of long lists, newest first unless a list says otherwise.
 * Invariant: `next` is the cursor of the page that follows, null at the end; `total` counts all that match.
 */
export interface PageQuery {
  limit: number
  /** `next` of the page before, null or missing = from the start */
  cursor?: number | null
}

export interface Page<Row> {
  items: Row[]
  next: number | null
  total: number
}

/** A page from one row more than asked for; `cursorOf` names where the next page goes on. */
export function pageOf<Row>(rows: Row[], limit: number, total: number, cursorOf: (last: Row) => number): Page<Row> {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return { items, next: rows.length > limit && last !== undefined ? cursorOf(last) : null, total }
}

/** A page of a list without a number of its own: the cursor is an offset. */
export function offsetPage<Row>(rows: Row[], query: PageQuery, total: number): Page<Row> {
  const next = (query.cursor ?? 0) + query.limit
  return { items: rows.slice(0, query.limit), next: rows.length > query.limit ? next : null, total }
}
