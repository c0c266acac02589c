'use client'
/* Owns moving the camera without a pointer: three buttons, + - 0, and arrows while nothing else wants them. */
import { IconButton } from '@/components/ui/button'
import { useKeys } from '@/components/ui/use-keys'
import type { StageHandle } from './graph-stage'

export function ZoomButtons({ stage }: { stage: StageHandle | null }) {
  const off = stage === null
  const zoomIn = () => stage?.zoom('in')
  const pan = (right: number, down: number) => () => {
    const on = document.activeElement
    // a slider, a radio group or a table has its own arrows
    if (stage === null || (on !== null && on !== document.body && on.closest('[data-camera]') === null)) return false
    stage.pan(right, down)
    return true
  }
  useKeys({
    '+': zoomIn,
    '=': zoomIn,
    '-': () => stage?.zoom('out'),
    '0': () => stage?.fit(),
    ArrowLeft: pan(-1, 0),
    ArrowRight: pan(1, 0),
    ArrowUp: pan(0, -1),
    ArrowDown: pan(0, 1),
  })
  return (
    <div data-camera="" className="absolute top-[12px] right-[12px] grid gap-[4px]">
      <IconButton size="small" icon="plus" label="Zoom in, +" disabled={off} onClick={() => stage?.zoom('in')} />
      <IconButton size="small" icon="minus" label="Zoom out, −" disabled={off} onClick={() => stage?.zoom('out')} />
      <IconButton size="small" icon="fit" label="Fit the whole graph, 0" disabled={off} onClick={() => stage?.fit()} />
    </div>
  )
}
