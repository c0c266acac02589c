'use client'
/* Owns the table that stands for the drawing: its tasks, sorted. Invariant: the same tasks and the same selection. */
import { useMemo, useState } from 'react'
import { type Column, DataTable } from '@/components/ui/data-table'
import { type SortState, sortRows } from '@/components/ui/sort-rows'
import type { GraphView } from '@/lib/contract/graph'
import { formatCount, formatFixed } from '@/lib/view/format'
import type { Focus } from '@/lib/view/graph-focus'
import { type TaskTwinRow, taskTwin } from '@/lib/view/graph-twin'
import { IslandTag } from './island-tag'

function columnsOf(
  graph: GraphView,
  hues: readonly number[],
  focus: Focus | null,
  onTask: (node: number) => void,
): Column<TaskTwinRow>[] {
  const number = (
    key: 'predictedVariance' | 'ability' | 'groups',
    head: string,
    decimals: number,
    explain?: string,
  ) => ({
    key,
    head,
    explain,
    align: 'right' as const,
    sortBy: (row: TaskTwinRow) => row[key],
    cell: (row: TaskTwinRow) => {
      const value = row[key]
      return value === null ? <span className="unit">not kept</span> : formatFixed(value, decimals)
    },
  })
  const columns: Column<TaskTwinRow>[] = [
    {
      key: 'key',
      head: 'task',
      sortBy: (row) => row.key,
      cell: (row) => (
        <button type="button" className="text-left underline" onClick={() => onTask(row.node)}>
          {row.key}
        </button>
      ),
    },
    {
      key: 'island',
      head: 'env.',
      sortBy: (row) => graph.environments[row.island]?.code ?? null,
      cell: (row) => <IslandTag graph={graph} hues={hues} island={row.island} />,
    },
    number('predictedVariance', 'predicted variance', 3, 'Expected variance of the reward inside the next group'),
    number('ability', 'ability', 2, 'Expected reward of the next rollout, 0 to 1'),
    number('groups', 'groups', 0, 'Complete groups of the task by then; 0 is a hollow point: never tried'),
    {
      key: 'picked',
      head: `in batch ${graph.batch}`,
      sortBy: (row) => Number(row.picked),
      cell: (row) => (row.picked ? 'picked' : <span className="unit">no</span>),
    },
  ]
  if (focus !== null) {
    columns.splice(2, 0, {
      key: 'hop',
      head: 'hop',
      align: 'right',
      sortBy: (row) => row.hop,
      cell: (row) => (row.hop === 0 ? 'selected' : row.hop),
    })
  }
  return columns
}

export function TaskTable({
  graph,
  hues,
  hidden,
  focus,
  selected,
  onTask,
}: {
  graph: GraphView
  hues: readonly number[]
  hidden: ReadonlySet<number>
  focus: Focus | null
  selected: number | null
  onTask: (node: number) => void
}) {
  const [sort, setSort] = useState<SortState>({ key: 'predictedVariance', direction: 'descending' })
  const columns = columnsOf(graph, hues, focus, onTask)
  const rows = useMemo(() => taskTwin(graph, hidden, focus), [graph, hidden, focus])
  const sorted = sortRows(rows, columns.find(({ key }) => key === sort.key)?.sortBy, sort)
  return (
    <>
      <DataTable
        label="Tasks of the graph"
        columns={columns}
        rows={sorted}
        rowKey={(row) => row.id}
        onRow={(row) => onTask(row.node)}
        selected={(row) => row.node === selected}
        sort={sort}
        onSort={setSort}
        size="small"
        padded
        keys
      />
      <p className="py-2 text-12 text-ink-3">{formatCount(rows.length, 'task')}.</p>
    </>
  )
}
