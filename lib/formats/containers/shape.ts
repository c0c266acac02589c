/**
 * Objects that are opened because no form knows them as they are: a list inside, or columns side by side.
 * Must never know: what the rows mean. Invariant: `unfolded` of the same value and shape gives the same rows in the same order.
 */
import { asList, asRow, type Row } from '@/lib/formats/untyped'

export type Shape = { kind: 'whole' } | { kind: 'columns' } | { kind: 'list'; member: string }

export interface Unfolded {
  /** the other members of the object; null where it is the row itself */
  outer: Row | null
  rows: readonly unknown[]
}

/** Members whose list is looked at first: what files that hold a list beside other things call it. */
const LISTS = [
  'simulations',
  'results',
  'items',
  'trajectories',
  'samples',
  'rollouts',
  'data',
  'rows',
  'tasks',
  'episodes',
]
/** An object of fewer lists is no table. */
const LEAST_COLUMNS = 3

/** How an object can be opened, the likeliest first. */
export function shapesOf(row: Row): Shape[] {
  const lists = Object.keys(row).filter((key) => asList(row[key])?.some((item) => asRow(item) !== null) === true)
  lists.sort((a, b) => rankOf(a) - rankOf(b))
  const shapes: Shape[] = lists.map((member) => ({ kind: 'list', member }))
  return isTable(row) ? [{ kind: 'columns' }, ...shapes] : shapes
}

export function unfolded(value: Row, shape: Shape): Unfolded {
  if (shape.kind === 'list') {
    const { [shape.member]: list, ...outer } = value
    return { outer, rows: asList(list) ?? [] }
  }
  if (shape.kind === 'columns') return { outer: null, rows: tableRows(value) }
  return { outer: null, rows: [value] }
}

function rankOf(key: string): number {
  const rank = LISTS.indexOf(key)
  return rank < 0 ? LISTS.length : rank
}

/** Most members are lists of one length; a value that is none stands for all rows. */
function isTable(row: Row): boolean {
  const lengths = Object.values(row).flatMap((value) => asList(value)?.length ?? [])
  const same = lengths.length >= LEAST_COLUMNS && lengths[0] !== 0 && new Set(lengths).size === 1
  return same && lengths.length * 2 > Object.keys(row).length
}

function tableRows(table: Row): Row[] {
  const columns = Object.entries(table)
  const length = Math.max(0, ...columns.map(([, value]) => asList(value)?.length ?? 0))
  return Array.from({ length }, (_, place) =>
    Object.fromEntries(columns.map(([key, value]) => [key, asList(value) === null ? value : asList(value)?.[place]])),
  )
}
