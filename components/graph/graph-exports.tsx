'use client'
/* Owns taking the graph away: the picture as drawn, and the whole graph as GEXF or CSV from the server. */
import { Icon } from '@/components/ui/icon'
import { Popover } from '@/components/ui/popover'
import { graphExport } from '@/lib/client/graph'
import type { StageHandle } from './graph-stage'

async function savePicture(stage: StageHandle, name: string): Promise<void> {
  const blob = await stage.picture()
  if (blob === null) return
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

export function GraphExports({ run, stage, batch }: { run: string; stage: StageHandle | null; batch: number }) {
  return (
    <Popover
      label="Export as PNG, GEXF, CSV"
      className="menu"
      align="end"
      trigger={
        <>
          <Icon name="export" />
          PNG, GEXF, CSV
        </>
      }
    >
      {(close) => (
        <>
          <button
            type="button"
            disabled={stage === null}
            onClick={() => {
              if (stage !== null) void savePicture(stage, `graph-${run}-batch-${batch}.png`)
              close()
            }}
          >
            PNG, as drawn
          </button>
          <a href={graphExport(run, 'gexf')} download onClick={close}>
            GEXF, tasks and edges
          </a>
          <a href={graphExport(run, 'csv')} download onClick={close}>
            CSV, edges
          </a>
        </>
      )}
    </Popover>
  )
}
