'use client'
/* Owns a table's order in the address: "?sort=-informative" for largest first. */
import type { SortState } from '@/components/ui/sort-rows'
import { useViewParam } from './use-view-param'

export function useSortParam(name = 'sort'): [SortState | null, (sort: SortState) => void] {
  const [value, set] = useViewParam(name)
  const sort: SortState | null =
    value === null
      ? null
      : value.startsWith('-')
        ? { key: value.slice(1), direction: 'descending' }
        : { key: value, direction: 'ascending' }
  return [sort, (next) => set(next.direction === 'descending' ? `-${next.key}` : next.key)]
}
