'use client'
/* Owns the row above the graph: search, what is looked at, how far around, the table, the exports. */
import type { ComponentProps } from 'react'
import { Button } from '@/components/ui/button'
import { Segmented } from '@/components/ui/segmented'
import type { GraphView } from '@/lib/contract/graph'
import { formatCount } from '@/lib/view/format'
import { GraphExports } from './graph-exports'
import { GraphSearch } from './graph-search'
import type { StageHandle } from './graph-stage'
import type { ChangeAddress } from './use-graph-address'
import type { GraphMode } from './use-graph-answer'

function shortened(key: string): string {
  return key.length > 20 ? `${key.slice(0, 19)}…` : key
}

export interface GraphToolbarProps {
  run: string
  graph: GraphView
  hues: readonly number[]
  mode: GraphMode
  hops: 1 | 2
  /** key of the selected task, or null */
  taskKey: string | null
  /** environments stand as circles; whether that can be undone */
  isCollapsed: boolean
  mayExpand: boolean
  table: boolean
  exports: Omit<ComponentProps<typeof GraphExports>, 'run' | 'stage' | 'batch'>
  stage: StageHandle | null
  change: ChangeAddress
  onTask: (id: string, environment: string | null) => void
  onIsland: (island: number) => void
}

export function GraphToolbar(props: GraphToolbarProps) {
  const { run, graph, hues, mode, hops, taskKey, isCollapsed, table, stage, change } = props
  const look = (next: GraphMode) => {
    if (next === 'whole') change({ task: null, hops: null, from: null }, true)
    else if (taskKey === null) document.querySelector<HTMLInputElement>('[role=combobox]')?.focus()
    else change({ hops: next === 'evidence' ? null : hops }, true)
  }
  const name = taskKey === null ? 'a task' : shortened(taskKey)
  return (
    <div className="-mt-[4px] mb-[10px] flex flex-wrap items-center gap-[8px]">
      <GraphSearch
        run={run}
        graph={graph}
        hues={hues}
        shown={taskKey ?? ''}
        onTask={props.onTask}
        onIsland={props.onIsland}
      />
      <Segmented
        label="What is looked at"
        value={mode}
        onChange={look}
        options={[
          { value: 'whole', label: isCollapsed ? formatCount(graph.environments.length, 'island') : 'Whole graph' },
          { value: 'evidence', label: `Evidence of ${name}` },
          ...(taskKey === null ? [] : [{ value: 'focus' as const, label: 'Around it' }]),
        ]}
      />
      {mode === 'focus' && (
        <Segmented
          label="How far around the task"
          value={hops === 1 ? '1' : '2'}
          onChange={(next) => change({ hops: next === '1' ? 1 : 2 })}
          options={[
            { value: '1', label: '1 hop' },
            { value: '2', label: '2 hops' },
          ]}
        />
      )}
      <span className="flex-1" />
      {props.mayExpand && graph.environments.length > 1 && (
        <Button
          aria-pressed={isCollapsed}
          title="Show each environment as one circle"
          onClick={() => change({ collapsed: !isCollapsed, open: null, island: null }, true)}
        >
          Collapse
        </Button>
      )}
      <Button icon="table" aria-label="Show as table" aria-pressed={table} onClick={() => change({ table: !table })}>
        Table
      </Button>
      <GraphExports run={run} stage={stage} batch={graph.batch} {...props.exports} />
    </div>
  )
}
