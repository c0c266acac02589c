'use client'
/* Owns the three buttons that move the camera without a pointer. */
import { IconButton } from '@/components/ui/button'
import type { StageHandle } from './graph-stage'

export function ZoomButtons({ stage }: { stage: StageHandle | null }) {
  const off = stage === null
  return (
    <div className="absolute top-[12px] right-[12px] grid gap-[4px]">
      <IconButton size="small" icon="plus" label="Zoom in" disabled={off} onClick={() => stage?.zoom('in')} />
      <IconButton size="small" icon="minus" label="Zoom out" disabled={off} onClick={() => stage?.zoom('out')} />
      <IconButton size="small" icon="fit" label="Fit the whole graph" disabled={off} onClick={() => stage?.fit()} />
    </div>
  )
}
