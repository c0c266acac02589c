'use client'
/* Owns the table that stands for the drawing: its tasks, sorted, in pages of 200. Invariant: the same tasks and the same selection. */
import { useMemo, useState } from 'react'
import { Button } from '@/components/ui/button'
import { type Column, DataTable } from '@/components/ui/data-table'
import { type SortState, sortRows } from '@/components/ui/sort-rows'
import type { GraphView } from '@/lib/contract/graph'
import { formatFixed } from '@/lib/view/format'
import type { Focus } from '@/lib/view/graph-focus'
import { type TaskTwinRow, taskTwin } from '@/lib/view/graph-twin'
import { IslandTag } from './island-tag'

const PAGE = 200

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
    number('groups', 'groups', 0, 'Complete groups of the task so far'),
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
  onTask,
}: {
  graph: GraphView
  hues: readonly number[]
  hidden: ReadonlySet<number>
  focus: Focus | null
  onTask: (node: number) => void
}) {
  const [sort, setSort] = useState<SortState>({ key: 'predictedVariance', direction: 'descending' })
  const [pages, setPages] = useState(1)
  const columns = columnsOf(graph, hues, focus, onTask)
  const rows = useMemo(() => taskTwin(graph, hidden, focus), [graph, hidden, focus])
  const sorted = sortRows(rows, columns.find(({ key }) => key === sort.key)?.sortBy, sort)
  const shown = sorted.slice(0, pages * PAGE)
  return (
    <>
      <DataTable
        label="Tasks of the graph"
        columns={columns}
        rows={shown}
        rowKey={(row) => row.id}
        onRow={(row) => onTask(row.node)}
        selected={(row) => row.node === focus?.task}
        sort={sort}
        onSort={setSort}
        size="small"
        padded
        keys
      />
      <p className="flex items-center gap-3 py-2 text-12 text-ink-3">
        {formatFixed(shown.length, 0)} of {formatFixed(rows.length, 0)} tasks.
        {shown.length < rows.length && (
          <Button size="small" onClick={() => setPages((count) => count + 1)}>
            Show {formatFixed(Math.min(PAGE, rows.length - shown.length), 0)} more
          </Button>
        )}
      </p>
    </>
  )
}
