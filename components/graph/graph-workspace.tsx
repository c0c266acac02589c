'use client'
/* Owns the Graph page once its graph is there: toolbar, verdict, the drawing or its table, the side panel.
   Invariant: drawing, table and panel show one selection, and the address holds it. */
import { useCallback, useRef, useState } from 'react'
import { useKeys } from '@/components/ui/use-keys'
import type { GraphView } from '@/lib/contract/graph'
import type { Camera } from '@/lib/view/graph-address'
import { edgeCountWords } from '@/lib/view/graph-counts'
import { EDGE_KINDS } from '@/lib/view/graph-edges'
import { EdgeLegend } from './edge-legend'
import { GraphCanvas } from './graph-canvas'
import { GraphSide } from './graph-side'
import type { StageHandle } from './graph-stage'
import { GraphToolbar } from './graph-toolbar'
import { GraphTwin } from './graph-twin'
import { useGraphAddress } from './use-graph-address'
import { useGraphAnswer } from './use-graph-answer'
import { useGraphModel } from './use-graph-model'
import { useRestHeight } from './use-rest-height'
import { ZoomButtons } from './zoom-buttons'

const LEAST_HEIGHT = 480

export function GraphWorkspace({ run, graph }: { run: string; graph: GraphView }) {
  const { address, change } = useGraphAddress()
  const model = useGraphModel(graph, address)
  const { indexOf, hues, hidden, filter, shown, selected, focus, spans } = model
  const answer = useGraphAnswer(run, graph, model)
  const { mode, scene, evidence, verdict, taskKey } = answer
  const [stage, setStage] = useState<StageHandle | null>(null)
  const [drawable, setDrawable] = useState<boolean>(true)
  const area = useRef<HTMLDivElement>(null)
  const height = useRestHeight(area, LEAST_HEIGHT)

  const select = useCallback((id: string) => change({ task: id, from: null }, true), [change])
  const selectNode = useCallback(
    (node: number) => {
      const id = graph.nodes.id[node]
      if (id !== undefined) select(id)
    },
    [graph.nodes.id, select],
  )
  const find = (id: string) => {
    select(id)
    const node = indexOf.get(id)
    if (node !== undefined) stage?.reveal(node)
  }
  const showIsland = (island: number) => stage?.showIsland(island)
  const close = () => change({ task: null, hops: null, from: null }, true)
  useKeys(selected === null ? {} : { Escape: close })
  const onUnavailable = useCallback(() => setDrawable(false), [])
  const onCamera = useCallback((camera: Camera | null) => change({ camera }), [change])
  const asTable = address.table || drawable === false

  return (
    <>
      <GraphToolbar
        run={run}
        graph={graph}
        hues={hues}
        mode={mode}
        hops={address.hops ?? 2}
        taskKey={taskKey}
        table={asTable}
        stage={stage}
        change={change}
        onTask={find}
        onIsland={showIsland}
      />
      <h2 className="mb-3 text-20 font-semibold tracking-[-0.012em] text-pretty">{verdict}</h2>
      {address.task !== null && selected === null && (
        <p className="mb-3 text-ink-2" role="status">
          No task {address.task} in this run's graph. The whole graph is shown.
        </p>
      )}
      <div
        ref={area}
        className="-mx-[20px] -mb-[40px] grid grid-cols-[minmax(0,1fr)_320px] border-t border-line-1 max-[1101px]:-mx-[16px] max-md:grid-cols-[minmax(0,1fr)_300px] max-sm:block max-sm:h-auto!"
        style={{ height }}
      >
        {asTable ? (
          <GraphTwin
            graph={graph}
            hues={hues}
            hidden={hidden}
            focus={focus}
            evidence={mode === 'evidence' ? evidence : undefined}
            drawable={drawable}
            height={height}
            onTask={selectNode}
          />
        ) : (
          <div className="relative overflow-hidden max-sm:h-[400px]">
            <GraphCanvas
              graph={graph}
              hues={hues}
              hidden={hidden}
              edges={shown.drawn}
              scene={scene}
              label={`${verdict} The table holds the same content.`}
              camera={address.camera}
              onTask={selectNode}
              onCamera={onCamera}
              onReady={setStage}
              onUnavailable={onUnavailable}
            />
            <ZoomButtons stage={stage} />
            <EdgeLegend
              filter={filter}
              counts={edgeCountWords(graph, shown, focus)}
              bridges={shown.bridged ? spans.length : null}
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
          selected={selected}
          focus={focus}
          evidence={evidence}
          failure={answer.failure}
          from={address.from}
          change={change}
          onRetry={answer.retry}
          onIsland={showIsland}
          onClose={close}
        />
      </div>
    </>
  )
}
