'use client'
/* Owns taking away what is shown: the picture with legend and caption, tasks and edges as GEXF or CSV, the evidence as CSV. */
import { useQuery } from '@tanstack/react-query'
import { Icon } from '@/components/ui/icon'
import { Popover } from '@/components/ui/popover'
import { graphExport } from '@/lib/client/graph'
import { runQuery } from '@/lib/client/run'
import { fileSafe } from '@/lib/contract/file-name'
import { formatFixed } from '@/lib/view/format'
import type { ExportQuery } from '@/lib/view/graph-export-query'
import { type TableTwin, twinToCsv } from '@/lib/view/table-twin'
import type { StageHandle } from './graph-stage'

function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

export function GraphExports({
  run,
  stage,
  batch,
  query,
  caption,
  evidence,
}: {
  run: string
  stage: StageHandle | null
  batch: number
  query: ExportQuery
  caption: readonly string[]
  /** the parts of the shown prediction, null where none is shown */
  evidence: TableTwin | null
}) {
  const runName = useQuery(runQuery(run)).data?.name ?? run
  // files that the server makes are named there, after the run as well
  const name = fileSafe(runName).toLowerCase()
  const picture = async () => {
    const blob = (await stage?.picture([`${runName}, batch ${formatFixed(batch, 0)}`, ...caption])) ?? null
    if (blob !== null) save(blob, `${name}-graph.png`)
  }
  return (
    <Popover
      label="Export what is shown as PNG, GEXF, CSV"
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
              void picture()
              close()
            }}
          >
            PNG, with legend and caption
          </button>
          <a href={graphExport(run, { ...query, format: 'gexf' })} download onClick={close}>
            GEXF, what is shown
          </a>
          <a href={graphExport(run, { ...query, format: 'csv' })} download onClick={close}>
            CSV, edges shown
          </a>
          <a href={graphExport(run, { ...query, format: 'csv', rows: 'tasks' })} download onClick={close}>
            CSV, {query.open === null ? 'environments' : 'tasks'} shown
          </a>
          {evidence !== null && (
            <button
              type="button"
              onClick={() => {
                save(new Blob([twinToCsv(evidence)], { type: 'text/csv' }), `${name}-${evidence.name}.csv`)
                close()
              }}
            >
              CSV, parts of the prediction
            </button>
          )}
        </>
      )}
    </Popover>
  )
}
