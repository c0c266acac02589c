'use client'
/* Owns the drawing: Sigma between two canvases of ours, kept in step with what the page says. Loaded in the browser only.
   Invariant: Sigma is mounted once a layout; new data changes nodes, looks, edges and the scene, never the camera. */
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { GraphView } from '@/lib/contract/graph'
import type { Camera } from '@/lib/view/graph-address'
import { circleAt, type GraphWorld } from '@/lib/view/graph-circles'
import { type Extent, islandsExtent, nodeRadius } from '@/lib/view/graph-geometry'
import type { Scene } from '@/lib/view/graph-scene'
import { drawAbove } from './draw-above'
import { drawBelow } from './draw-below'
import type { IslandLabel } from './draw-labels'
import { premultiplied, useGraphColours } from './graph-colours'
import { type Frame, toScreen } from './graph-frame'
import { composePicture, prepared } from './graph-picture'
import type { SigmaStage } from './sigma-stage'
import { type StageInput, useSigmaStage } from './use-sigma-stage'

const CAMERA_SETTLES_MS = 300
/** Lost drawings are made again this often; then the table stands in. */
const MOST_LOSSES = 3
/** Edges at rest are hints: the more there are, the fainter each, so that the tasks stay readable. */
const EDGE_ALPHA = { within: { base: 0.08, step: 0.2 }, cross: { base: 0.04, step: 0.12 } }
const FULL_ALPHA_UP_TO = 500

/** What the page may ask of the drawing. */
export interface StageHandle {
  fit(): void
  zoom(direction: 'in' | 'out'): void
  /** in steps */
  pan(right: number, down: number): void
  showIsland(island: number): void
  /** brings a task into view if it lies outside */
  reveal(node: number): void
  /** with these lines and the legend below it; null where no picture can be made */
  picture(caption: readonly string[]): Promise<Blob | null>
}

export interface GraphStageProps {
  graph: GraphView
  /** hue, 1 to 12, by island */
  hues: readonly number[]
  hidden: ReadonlySet<number>
  world: GraphWorld
  /** indices of the edges to draw */
  edges: readonly number[]
  scene: Scene
  /** what the drawing says, read out in its place */
  label: string
  camera: Camera | null
  onTask: (node: number) => void
  /** a circle was chosen */
  onIsland: (island: number) => void
  onCamera: (camera: Camera | null) => void
  onReady: (handle: StageHandle | null) => void
  /** WebGL is missing or was taken away for good */
  onUnavailable: () => void
}

export function GraphStage(props: GraphStageProps) {
  const [losses, setLosses] = useState(0)
  const { onUnavailable } = props
  const onLost = useCallback(() => setLosses((count) => count + 1), [])
  useEffect(() => {
    if (losses > MOST_LOSSES) onUnavailable()
  }, [losses, onUnavailable])
  return <Drawn key={losses} {...props} onLost={onLost} />
}

function around(graph: GraphView, island: number): Extent | null {
  const at = graph.environments[island]
  if (at === undefined) return null
  const reach = at.radius * 1.15
  return { x: [at.x - reach, at.x + reach], y: [at.y - reach, at.y + reach] }
}

/** Room for a name under the lowest island. */
const UNDER = 32

function bottomOf(frame: Frame | null, { environments }: GraphView): number {
  if (frame === null || environments.length === 0) return Number.POSITIVE_INFINITY
  return UNDER + Math.max(...environments.map(({ x, y, radius }) => toScreen(frame, x, y).y + radius * frame.unit))
}

function sameCamera(a: Camera | null, b: Camera | null): boolean {
  if (a === null || b === null) return a === b
  return (['x', 'y', 'ratio'] as const).every((part) => Math.abs(a[part] - b[part]) < 1e-3 * Math.max(1, b.ratio))
}

function Drawn({ onLost, ...props }: GraphStageProps & { onLost: () => void }) {
  const { graph, hues, hidden, world, edges, scene, camera, onReady } = props
  const colours = useGraphColours()
  const box = useRef<HTMLDivElement>(null)
  const below = useRef<HTMLCanvasElement>(null)
  const above = useRef<HTMLCanvasElement>(null)
  const labels = useRef<IslandLabel[]>([])
  const frame = useRef<Frame | null>(null)
  const hover = useRef<number | null>(null)
  const hoverIsland = useRef<number | null>(null)
  const settling = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)

  const radius = useMemo(
    () => Float32Array.from(graph.nodes.predictedVariance, nodeRadius),
    [graph.nodes.predictedVariance],
  )
  const tried = graph.nodes.groups
  const unseen = useMemo(() => new Set([...hidden, ...world.closed]), [hidden, world.closed])
  const look = useMemo(
    () => ({ radius, tried, colours: hues.map((hue) => colours.hues[hue] ?? colours.ink3), hidden: unseen }),
    [radius, tried, hues, colours, unseen],
  )
  const { x, y, environment } = graph.nodes
  const nodes = useMemo(() => ({ x, y, island: environment }), [x, y, environment])
  const extentText = JSON.stringify(islandsExtent(graph.environments))
  const extent = useMemo(() => JSON.parse(extentText) as Extent, [extentText])

  const draw = useRef(() => {})
  const input = useRef<StageInput>({} as StageInput)
  const stageNow = useRef<SigmaStage | null>(null)
  const graphNow = useRef(graph)
  const worldNow = useRef(world)
  useLayoutEffect(() => {
    graphNow.current = graph
    worldNow.current = world
    draw.current = () => {
      if (frame.current === null || box.current === null) return
      const font = getComputedStyle(box.current).fontFamily
      const pointed = { hover: hover.current, hoverIsland: hoverIsland.current }
      const drawing = { graph, radius, hues, hidden, world, scene, colours, font, ...pointed }
      const lower = prepared(below.current, frame.current)
      const upper = prepared(above.current, frame.current)
      if (lower !== null) drawBelow(lower, frame.current, drawing)
      if (upper !== null) labels.current = drawAbove(upper, frame.current, drawing)
    }
    const islandAt = (at: { x: number; y: number }) => {
      if (frame.current === null) return null
      const { x0, y0, unit, up } = frame.current
      const shown = world.circles.filter(({ island }) => !hidden.has(island))
      return circleAt(shown, (at.x - x0) / unit, (at.y - y0) / up)
    }
    const cursor = () => {
      const isOn = hover.current !== null || hoverIsland.current !== null
      if (box.current !== null) box.current.style.cursor = isOn ? 'pointer' : ''
    }
    input.current = {
      nodes,
      look,
      camera,
      onUnavailable: props.onUnavailable,
      events: {
        onNode: props.onTask,
        onHover: (node) => {
          hover.current = node
          cursor()
          draw.current()
        },
        onMove: (at) => {
          const island = islandAt(at)
          if (island === hoverIsland.current) return
          hoverIsland.current = island
          cursor()
          draw.current()
        },
        onBackground: (at) => {
          const island = islandAt(at)
          if (island !== null) return props.onIsland(island)
          const hit = labels.current.find(
            ({ left, right, top, bottom }) => at.x > left && at.x < right && at.y > top && at.y < bottom,
          )
          if (hit !== undefined && world.closed.has(hit.island)) return props.onIsland(hit.island)
          const extentOf = hit === undefined ? null : around(graph, hit.island)
          if (extentOf !== null) stageNow.current?.show(extentOf)
        },
        onCamera: (moved) => {
          clearTimeout(settling.current)
          settling.current = setTimeout(() => props.onCamera(moved), CAMERA_SETTLES_MS)
        },
        onFrame: (next) => {
          frame.current = next
          draw.current()
        },
        onLost,
      },
    }
    draw.current()
  })
  useEffect(() => () => clearTimeout(settling.current), [])

  const stage = useSigmaStage(box, extent, input)
  useEffect(() => {
    stageNow.current = stage
  }, [stage])
  useEffect(() => stage?.take(nodes, look), [stage, nodes, look])
  const { source, target, kind, weight } = graph.edges
  useEffect(() => {
    const fade = Math.min(1, Math.sqrt(FULL_ALPHA_UP_TO / Math.max(1, edges.length)))
    stage?.setEdges(
      edges.map((e) => {
        const relation = kind[e] === 'cross' ? 'cross' : 'within'
        const { base, step } = EDGE_ALPHA[relation]
        // few steps, as each is a colour of its own to Sigma
        const alpha = Math.round(100 * fade * (base + step * (weight[e] ?? 0))) / 100
        return { source: source[e] ?? 0, target: target[e] ?? 0, colour: premultiplied(colours[relation], alpha) }
      }),
    )
  }, [stage, edges, colours, source, target, kind, weight])
  // the address may name another view than the one shown: after "back", or from a link
  useEffect(() => {
    if (stage !== null && !sameCamera(stage.camera(), camera)) stage.setCamera(camera)
  }, [stage, camera])

  useEffect(() => {
    if (stage === null) return onReady(null)
    onReady({
      fit: () => stage.reset(),
      zoom: (direction) => stage.zoom(direction),
      pan: (right, down) => stage.pan(right, down),
      showIsland: (island) => {
        const extentOf = around(graphNow.current, island)
        if (extentOf !== null) stage.show(extentOf)
      },
      reveal: (node) => stage.reveal(node),
      picture: (caption) => {
        const [edgesLayer, nodesLayer] = stage.canvases()
        const layers = [below.current, edgesLayer, nodesLayer, above.current]
        const font = box.current === null ? 'sans-serif' : getComputedStyle(box.current).fontFamily
        return composePicture(
          layers.filter((layer) => layer !== null && layer !== undefined),
          {
            lines: caption,
            font,
            isCollapsed: worldNow.current.circles.length > 0,
            bottom: bottomOf(frame.current, graphNow.current),
          },
        )
      },
    })
    return () => onReady(null)
  }, [stage, onReady])

  return (
    // a canvas says nothing to a screen reader: the verdict stands for it, the table holds the rest
    <div role="img" aria-label={props.label} className="absolute inset-0">
      <canvas ref={below} className="pointer-events-none absolute inset-0 h-full w-full" />
      <div ref={box} className="absolute inset-0" />
      <canvas ref={above} className="pointer-events-none absolute inset-0 h-full w-full" />
    </div>
  )
}
