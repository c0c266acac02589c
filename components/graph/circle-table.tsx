'use client'
/* Owns the table that stands for circles: every environment, with what its circle tells. */
import { useState } from 'react'
import { type Column, DataTable } from '@/components/ui/data-table'
import type { SortState } from '@/components/ui/sort-rows'
import type { GraphView } from '@/lib/contract/graph'
import { formatFixed } from '@/lib/view/format'
import { type CircleRow, circleTwin } from '@/lib/view/graph-twin'

const number = (
  key: 'tasks' | 'tried' | 'meanVariance' | 'held' | 'picks' | 'edges',
  head: string,
  decimals: number,
  explain: string,
): Column<CircleRow> => ({
  key,
  head,
  explain,
  align: 'right',
  sortBy: (row) => row[key],
  cell: (row) => formatFixed(row[key], decimals),
})

export function CircleTable({
  graph,
  hidden,
  selected,
  onIsland,
}: {
  graph: GraphView
  hidden: ReadonlySet<number>
  selected: number | null
  onIsland: (island: number) => void
}) {
  const [sort, setSort] = useState<SortState>({ key: 'held', direction: 'descending' })
  const columns: Column<CircleRow>[] = [
    {
      key: 'name',
      head: 'environment',
      sortBy: (row) => row.name,
      cell: (row) => (
        <button type="button" className="text-left underline" onClick={() => onIsland(row.island)}>
          {row.name}
        </button>
      ),
    },
    number('tasks', 'tasks', 0, 'Tasks of the environment: the area of its circle'),
    number('tried', 'tried', 0, 'Tasks with a complete group by then'),
    number('meanVariance', 'mean variance', 3, "Mean of its tasks' predicted variance: the fill of its circle"),
    number('held', 'held, %', 1, "Sum of its tasks' predicted variance, as a part of all islands'"),
    number('picks', `picks, batch ${graph.batch}`, 0, 'Picks of the batch: the ring of its circle'),
    number('edges', 'cross edges', 0, 'Stored edges to tasks of other environments'),
  ]
  return (
    <DataTable
      label="Environments of the graph"
      columns={columns}
      rows={circleTwin(graph, hidden)}
      rowKey={(row) => row.id}
      onRow={(row) => onIsland(row.island)}
      selected={(row) => row.island === selected}
      sort={sort}
      onSort={setSort}
      size="small"
      padded
      keys
    />
  )
}
