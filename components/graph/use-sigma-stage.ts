'use client'
/* Owns the life of the stage: made once a layout in the given box, ended with it. Must never know what is drawn.
   Invariant: new events, nodes and looks reach the stage without making it anew. */
import { type RefObject, useEffect, useState } from 'react'
import type { Camera } from '@/lib/view/graph-address'
import type { Extent } from '@/lib/view/graph-geometry'
import { SigmaStage, type StageEvents, type StageLook, type StageNodes } from './sigma-stage'

/** Room for names above, zoom buttons on the right and the legend below, px. */
const PADDING = { top: 34, right: 48, bottom: 130, left: 24 }
const NARROW_PADDING = { top: 26, right: 12, bottom: 12, left: 12 }

/** What the stage is handed while it lives; read when it is needed. */
export interface StageInput {
  nodes: StageNodes
  look: StageLook
  camera: Camera | null
  events: StageEvents
  onUnavailable: () => void
}

/** `extent` by identity: another one makes another stage. */
export function useSigmaStage(
  box: RefObject<HTMLElement | null>,
  extent: Extent,
  input: RefObject<StageInput>,
): SigmaStage | null {
  const [stage, setStage] = useState<SigmaStage | null>(null)
  useEffect(() => {
    const container = box.current
    if (container === null) return
    const { nodes, look, camera, onUnavailable } = input.current
    const events: StageEvents = {
      onNode: (node) => input.current.events.onNode(node),
      onHover: (node) => input.current.events.onHover(node),
      onBackground: (point) => input.current.events.onBackground(point),
      onMove: (point) => input.current.events.onMove(point),
      onCamera: (moved) => input.current.events.onCamera(moved),
      onFrame: (frame) => input.current.events.onFrame(frame),
      onLost: () => input.current.events.onLost(),
    }
    const padding = container.offsetWidth < 560 ? NARROW_PADDING : PADDING
    let made: SigmaStage
    try {
      made = new SigmaStage(container, nodes, look, extent, padding, events)
    } catch {
      onUnavailable()
      return
    }
    made.setCamera(camera)
    setStage(made)
    return () => {
      setStage(null)
      made.destroy()
    }
  }, [box, extent, input])
  return stage
}
