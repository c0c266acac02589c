'use client'
/* Owns the head of the side panel: which task is selected, of which environment, and the way back to the whole graph. */
import type { ReactNode } from 'react'
import { IconButton } from '@/components/ui/button'
import { EnvTag } from '@/components/ui/env-tag'
import type { GraphView } from '@/lib/contract/graph'

export function TaskHeading({
  taskKey,
  island,
  hue,
  onClose,
  steer,
}: {
  taskKey: string
  island: GraphView['environments'][number] | undefined
  hue: number | null
  onClose: () => void
  steer?: ReactNode
}) {
  return (
    <div className="flex items-center gap-2">
      <h3 className="min-w-0 truncate text-18 font-semibold" title={taskKey}>
        {taskKey}
      </h3>
      {island !== undefined && (
        <span className="flex-none" title={island.name}>
          <EnvTag environment={{ ...island, hue }} />
        </span>
      )}
      <span className="ml-auto flex flex-none items-center gap-1">
        {steer}
        <IconButton kind="quiet" size="small" icon="close" label="Close, back to the whole graph" onClick={onClose} />
      </span>
    </div>
  )
}
