/**
 * The one file that knows Sigma, beside its point program: nodes and edges on WebGL, the camera, what the pointer is on.
 * Must never know evidence, React or tokens. Nodes are indices; what lies above and below them is drawn by others on
 * `onFrame`. Invariants: the camera's box is set once, so new data never moves it; live attributes change in one pass
 * that repaints only the nodes that changed; other nodes of the same layout leave the camera where it is.
 */
import Graph from 'graphology'
import Sigma from 'sigma'
import { EdgeLineProgram } from 'sigma/rendering'
import type { Camera } from '@/lib/view/graph-address'
import type { Extent } from '@/lib/view/graph-geometry'
import type { Frame } from './graph-frame'
import { HollowPointProgram, hollow } from './hollow-points'

export interface StageNodes {
  x: readonly number[]
  y: readonly number[]
  /** index of the node's island */
  island: readonly number[]
}

/** How nodes look now. `radius` in graph units and `tried` groups by node; `colours` by island; untried tasks are hollow. */
export interface StageLook {
  radius: Float32Array
  tried: readonly number[]
  colours: readonly string[]
  hidden: ReadonlySet<number>
}

/** A line of 1 px. `colour` with its alpha premultiplied, as Sigma's blending wants it. */
export interface StageEdge {
  source: number
  target: number
  colour: string
}

export interface StageEvents {
  onNode(node: number): void
  onHover(node: number | null): void
  onBackground(point: { x: number; y: number }): void
  /** the pointer moved over the stage */
  onMove(point: { x: number; y: number }): void
  /** a person moved the camera; null = it fits the whole again */
  onCamera(camera: Camera | null): void
  onFrame(frame: Frame): void
  /** WebGL took the drawing away */
  onLost(): void
}

export interface Padding {
  top: number
  right: number
  bottom: number
  left: number
}

const ZOOM_STEP = 1.5
const ANCHOR = -1
/** Part of the stage that one press of an arrow pans. */
const PAN_STEP = 0.12

function graphOf({ x, y }: StageNodes): Graph {
  const graph = new Graph({ type: 'undirected', multi: true, allowSelfLoops: false })
  for (let i = 0; i < x.length; i++) graph.addNode(i, { x: x[i], y: y[i] })
  // Sigma places nothing, not even its camera, before there is a node
  if (x.length === 0) graph.addNode(ANCHOR, { x: 0, y: 0 })
  return graph
}

export class SigmaStage {
  private readonly sigma: Sigma
  private graph: Graph
  private look: StageLook
  private readonly resizing: ResizeObserver
  /** the camera follows the box of the stage until a person moves it */
  private fitted = true
  private own = false

  /** Throws where the browser has no WebGL. */
  constructor(
    container: HTMLElement,
    private nodes: StageNodes,
    look: StageLook,
    private readonly extent: Extent,
    private readonly padding: Padding,
    private readonly events: StageEvents,
  ) {
    this.look = look
    this.graph = graphOf(nodes)
    this.sigma = new Sigma(this.graph, container, {
      allowInvalidContainer: true,
      enableCameraRotation: false,
      renderLabels: false,
      defaultDrawNodeHover: () => undefined,
      itemSizesReference: 'positions',
      zoomToSizeRatioFunction: (ratio) => ratio,
      // lines and points: without a GPU an eighth of what rectangles and triangles cost, and they look the same
      edgeProgramClasses: { line: EdgeLineProgram },
      nodeProgramClasses: { circle: HollowPointProgram },
      minCameraRatio: 0.01,
      maxCameraRatio: 4,
      stagePadding: 0,
      nodeReducer: (key) => this.shown(Number(key)),
    })
    this.sigma.setCustomBBox(extent)
    this.sigma.refresh()
    this.listen()
    this.resizing = new ResizeObserver(() => this.settle())
    this.resizing.observe(container)
    this.settle()
  }

  private shown(node: number) {
    if (node === ANCHOR) return { x: 0, y: 0, size: 0, hidden: true }
    const island = this.nodes.island[node] ?? 0
    const colour = this.look.colours[island] ?? ''
    return {
      x: this.nodes.x[node],
      y: this.nodes.y[node],
      size: this.look.radius[node],
      color: this.look.tried[node] === 0 ? hollow(colour) : colour,
      hidden: this.look.hidden.has(island),
    }
  }

  private listen(): void {
    const { sigma, events } = this
    sigma.on('clickNode', ({ node }) => events.onNode(Number(node)))
    sigma.on('enterNode', ({ node }) => events.onHover(Number(node)))
    sigma.on('leaveNode', () => events.onHover(null))
    sigma.on('clickStage', ({ event }) => events.onBackground({ x: event.x, y: event.y }))
    sigma.on('moveBody', ({ event }) => events.onMove({ x: event.x, y: event.y }))
    sigma.on('afterRender', () => events.onFrame(this.frame()))
    sigma.getCamera().on('updated', () => {
      if (this.own) return
      this.fitted = false
      events.onCamera(this.camera())
    })
    for (const canvas of Object.values(sigma.getCanvases())) {
      canvas.addEventListener('webglcontextlost', this.lose)
    }
  }

  private readonly lose = (event: Event) => {
    event.preventDefault()
    this.events.onLost()
  }

  /** After a change of size or back from a hidden tab. */
  private settle(): void {
    this.sigma.resize()
    if (this.fitted) this.fit()
    this.redraw()
  }

  /** Affine, so that thousands of points cost nothing: three of them tell the map. */
  frame(): Frame {
    const { width, height } = this.sigma.getDimensions()
    const origin = this.sigma.graphToViewport({ x: 0, y: 0 })
    const right = this.sigma.graphToViewport({ x: 1000, y: 0 })
    const up = this.sigma.graphToViewport({ x: 0, y: 1000 })
    return {
      width,
      height,
      x0: origin.x,
      y0: origin.y,
      unit: (right.x - origin.x) / 1000,
      up: (up.y - origin.y) / 1000,
    }
  }

  /** Draws one frame now. */
  redraw(): void {
    this.sigma.refresh({ partialGraph: { nodes: [], edges: [] }, skipIndexation: true })
  }

  /** Takes over nodes and their look; the same nodes are repainted where their look changed. */
  take(nodes: StageNodes, look: StageLook): void {
    if (nodes === this.nodes) {
      this.paint(look)
      return
    }
    this.nodes = nodes
    this.look = look
    this.graph = graphOf(nodes)
    this.sigma.setGraph(this.graph)
  }

  private paint(look: StageLook): void {
    const before = this.look
    this.look = look
    const all = before.colours.join() !== look.colours.join() || [...before.hidden].join() !== [...look.hidden].join()
    const changed: string[] = []
    for (let i = 0; i < look.radius.length; i++) {
      const turned = (before.tried[i] === 0) !== (look.tried[i] === 0)
      if (all || turned || before.radius[i] !== look.radius[i]) changed.push(String(i))
    }
    if (changed.length > 0) this.sigma.refresh({ partialGraph: { nodes: changed }, skipIndexation: true })
  }

  /** Replaces all edges. Indexes the graph once, at the next frame. */
  setEdges(edges: readonly StageEdge[]): void {
    if (edges.length === 0 && this.graph.size === 0) return
    this.graph.clearEdges()
    for (const { source, target, colour } of edges) {
      if (source !== target) this.graph.addEdge(source, target, { color: colour })
    }
  }

  camera(): Camera | null {
    const { x, y, ratio } = this.sigma.getCamera().getState()
    return this.fitted ? null : { x, y, ratio }
  }

  /** Puts the camera where an address says; null fits the whole. */
  setCamera(camera: Camera | null): void {
    this.fitted = camera === null
    if (camera === null) this.fit()
    else this.move(camera)
  }

  private move(camera: Camera): void {
    this.own = true
    this.sigma.getCamera().setState({ ...camera, angle: 0 })
    this.own = false
  }

  /** The whole extent inside the padding. */
  private fit(): void {
    const { x, y } = this.extent
    this.move(this.cameraFor({ x: [x[0], x[1]], y: [y[0], y[1]] }))
  }

  /** The whole again, by a person's wish. */
  reset(): void {
    this.setCamera(null)
    this.events.onCamera(null)
  }

  zoom(direction: 'in' | 'out'): void {
    const { x, y, ratio } = this.sigma.getCamera().getState()
    this.goTo({ x, y, ratio: direction === 'in' ? ratio / ZOOM_STEP : ratio * ZOOM_STEP })
  }

  /** `right` and `down` in steps. */
  pan(right: number, down: number): void {
    const { width, height } = this.sigma.getDimensions()
    const middle = { x: width * (0.5 + PAN_STEP * right), y: height * (0.5 + PAN_STEP * down) }
    this.goTo({ ...this.sigma.viewportToFramedGraph(middle), ratio: this.sigma.getCamera().getState().ratio })
  }

  /** Shows a part of the graph, by a person's wish. */
  show(extent: Extent): void {
    this.goTo(this.cameraFor(extent))
  }

  /** Brings a node into view if it lies outside. */
  reveal(node: number): void {
    const { width, height, x0, y0, unit, up } = this.frame()
    const at = { x: x0 + unit * (this.nodes.x[node] ?? 0), y: y0 + up * (this.nodes.y[node] ?? 0) }
    if (at.x > 20 && at.y > 20 && at.x < width - 20 && at.y < height - 20) return
    const { x, y } = this.sigma.viewportToFramedGraph(at)
    this.goTo({ x, y, ratio: this.sigma.getCamera().getState().ratio })
  }

  private goTo(camera: Camera): void {
    this.fitted = false
    this.sigma.getCamera().setState({ ...camera, angle: 0 })
  }

  private cameraFor({ x, y }: Extent): Camera {
    const { width, height } = this.sigma.getDimensions()
    const { top, right, bottom, left } = this.padding
    const neutral = { cameraState: { x: 0.5, y: 0.5, ratio: 1, angle: 0 } }
    const a = this.sigma.graphToViewport({ x: x[0], y: y[0] }, neutral)
    const b = this.sigma.graphToViewport({ x: x[1], y: y[1] }, neutral)
    const ratio = Math.max(
      Math.abs(b.x - a.x) / Math.max(40, width - left - right),
      Math.abs(b.y - a.y) / Math.max(40, height - top - bottom),
    )
    const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }
    // the middle of what is shown belongs to the middle of the free part of the stage
    const aim = { x: middle.x - ((left - right) / 2) * ratio, y: middle.y - ((top - bottom) / 2) * ratio }
    return { ...this.sigma.viewportToFramedGraph(aim, neutral), ratio }
  }

  /** The canvases of the graph as drawn just now; they must be copied before this task ends. */
  canvases(): HTMLCanvasElement[] {
    this.redraw()
    const { edges, nodes } = this.sigma.getCanvases()
    return [edges, nodes].filter((canvas) => canvas !== undefined)
  }

  destroy(): void {
    this.resizing.disconnect()
    for (const canvas of Object.values(this.sigma.getCanvases())) {
      canvas.removeEventListener('webglcontextlost', this.lose)
    }
    this.sigma.kill()
  }
}
