'use client'
/* Owns the Graph page once its graph is there: toolbar, scrubber, verdict, the drawing or its table, the side panel.
   Invariant: drawing, table and panel show one selection as of one batch, and the address holds both. */
import { useCallback, useRef, useState } from 'react'
import { useKeys } from '@/components/ui/use-keys'
import { Verdict } from '@/components/ui/verdict'
import type { GraphView } from '@/lib/contract/graph'
import type { Camera, GraphAddress } from '@/lib/view/graph-address'
import { edgeCountWords } from '@/lib/view/graph-counts'
import { EDGE_KINDS } from '@/lib/view/graph-edges'
import { neighboursBySize } from '@/lib/view/graph-evidence'
import { exportQuery } from '@/lib/view/graph-export-query'
import { momentWords } from '@/lib/view/graph-moment'
import { evidenceFile } from '@/lib/view/graph-twin'
import { captionOf, graphDescription, pairWords } from '@/lib/view/graph-words'
import { isCollapsed } from '@/lib/view/graph-world'
import { EdgeLegend } from './edge-legend'
import { GraphCanvas } from './graph-canvas'
import { GraphScrubber } from './graph-scrubber'
import { GraphSide } from './graph-side'
import type { StageHandle } from './graph-stage'
import { GraphToolbar } from './graph-toolbar'
import { GraphTwin } from './graph-twin'
import type { ChangeAddress } from './use-graph-address'
import { useGraphAnswer } from './use-graph-answer'
import { useGraphModel } from './use-graph-model'
import { useNowFigures } from './use-now-figures'
import { useRestHeight } from './use-rest-height'
import { ZoomButtons } from './zoom-buttons'

const LEAST_HEIGHT = 480

export interface GraphWorkspaceProps {
  run: string
  graph: GraphView
  /** nodes of the selection are on their way */
  isPending: boolean
  address: GraphAddress
  change: ChangeAddress
}

export function GraphWorkspace({ run, graph, isPending, address, change }: GraphWorkspaceProps) {
  const model = useGraphModel(graph, address)
  const { indexOf, hues, hidden, filter, shown, selected, focus, spans, open, world, lines } = model
  const answer = useGraphAnswer(run, graph, model, address.batch)
  const { mode, scene, evidence, verdict, taskKey } = answer
  const now = useNowFigures(run, address.batch)
  const [stage, setStage] = useState<StageHandle | null>(null)
  const [drawable, setDrawable] = useState<boolean>(true)
  const area = useRef<HTMLDivElement>(null)
  const height = useRestHeight(area, LEAST_HEIGHT)

  const select = useCallback((id: string) => change({ task: id, from: null, island: null }, true), [change])
  const selectNode = useCallback(
    (node: number) => {
      const id = graph.nodes.id[node]
      if (id !== undefined) select(id)
    },
    [graph.nodes.id, select],
  )
  const find = (id: string, environment: string | null) => {
    change({ task: id, from: null, island: null, ...(world.closed.size > 0 ? { open: environment } : {}) }, true)
    const node = indexOf.get(id)
    if (node !== undefined) stage?.reveal(node)
  }
  const onIsland = (island: number) => {
    const id = graph.environments[island]?.id
    if (world.closed.has(island) && id !== undefined) change({ island: id, task: null, hops: null, from: null }, true)
    else stage?.showIsland(island)
  }
  const close = () => change({ task: null, hops: null, from: null, island: null }, true)
  useKeys(selected === null && world.island === null ? {} : { Escape: close })
  const onUnavailable = useCallback(() => setDrawable(false), [])
  const onCamera = useCallback((camera: Camera | null) => change({ camera }), [change])
  const asTable = address.table || drawable === false
  const collapsed = isCollapsed(graph, address)
  const words = { graph, hidden, filter, counts: edgeCountWords(graph, shown, focus), lines }
  const drawn = mode === 'evidence' ? evidence : undefined

  return (
    <>
      <GraphToolbar
        run={run}
        graph={graph}
        hues={hues}
        mode={mode}
        hops={address.hops ?? 2}
        taskKey={taskKey}
        isCollapsed={collapsed}
        mayExpand={graph.level === 'tasks'}
        table={asTable}
        stage={stage}
        change={change}
        onTask={find}
        onIsland={onIsland}
        exports={{
          query: exportQuery(
            graph,
            address,
            filter,
            open,
            drawn === undefined ? [] : neighboursBySize(drawn).map((one) => one.task.id),
          ),
          caption: captionOf(verdict, words),
          evidence: drawn === undefined ? null : evidenceFile(drawn),
        }}
      />
      <GraphScrubber run={run} batch={address.batch} onBatch={(batch) => change({ batch })} />
      {/* room for two lines: a longer sentence must not move the drawing */}
      <div className="min-h-[90px] max-sm:min-h-0">
        <Verdict context={momentWords(graph, now)}>{verdict}</Verdict>
      </div>
      <p className="sr-only" role="status">
        {taskKey === null ? '' : `${taskKey} is selected.`}
      </p>
      {address.task !== null && selected === null && !isPending && (
        <p className="mb-3 text-ink-2" role="status">
          No task {address.task} in this run's graph. The whole graph is shown.
        </p>
      )}
      <div
        ref={area}
        className="-mx-[20px] -mb-[40px] grid grid-cols-[minmax(0,1fr)_344px] border-t border-line-1 max-[1101px]:grid-cols-[minmax(0,1fr)_320px] max-[1101px]:-mx-[16px] max-md:grid-cols-[minmax(0,1fr)_300px] max-sm:block max-sm:h-auto!"
        style={{ height }}
      >
        {asTable ? (
          <GraphTwin
            graph={graph}
            hues={hues}
            hidden={hidden}
            world={world}
            open={open}
            selected={selected}
            focus={focus}
            evidence={drawn}
            drawable={drawable}
            height={height}
            onTask={selectNode}
            onIsland={onIsland}
          />
        ) : (
          <div className="relative overflow-hidden max-sm:h-[400px]">
            <GraphCanvas
              graph={graph}
              hues={hues}
              hidden={hidden}
              world={world}
              edges={shown.drawn}
              scene={scene}
              label={graphDescription(verdict, words)}
              camera={address.camera}
              onTask={selectNode}
              onIsland={onIsland}
              onCamera={onCamera}
              onReady={setStage}
              onUnavailable={onUnavailable}
            />
            <ZoomButtons stage={stage} />
            <EdgeLegend
              filter={filter}
              counts={words.counts}
              bridges={shown.bridged ? spans.length : null}
              drawn={shown.drawn.length}
              pairs={lines === null ? null : pairWords(lines)}
              isOpen={open !== null}
              batch={graph.batch}
              onSwitch={(kind, on) => change({ off: EDGE_KINDS.filter((k) => (k === kind ? !on : !filter[k].on)) })}
              onThreshold={(kind, min) => change({ min: { ...address.min, [kind]: min } })}
            />
          </div>
        )}
        <GraphSide
          run={run}
          graph={graph}
          hues={hues}
          hidden={hidden}
          world={world}
          lines={lines}
          open={open}
          selected={selected}
          focus={focus}
          evidence={evidence}
          isReading={answer.isReading}
          failure={answer.failure}
          from={address.from}
          change={change}
          onRetry={answer.retry}
          onIsland={onIsland}
          onSelect={select}
          onClose={close}
        />
      </div>
    </>
  )
}
