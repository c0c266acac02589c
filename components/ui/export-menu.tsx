'use client'
/* Owns taking a table away: CSV, JSON, and the call of the API that gives the same figures. */
import { useState } from 'react'
import { type TableTwin, twinToCsv, twinToJson } from '@/lib/view/table-twin'
import { Icon } from './icon'
import { Popover } from './popover'

function save(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

/** The command for a shell; the token stays out of it, since commands are kept in a history. */
export function curlOf(origin: string, path: string): string {
  return `curl -H "Authorization: Bearer $ENVSCHED_TOKEN" '${origin}/api/v1${path.replaceAll("'", '%27')}'`
}

export function ExportMenu({ twin, api }: { twin: TableTwin; api?: string }) {
  const [said, setSaid] = useState<string | null>(null)
  const rows = `${twin.rows.length} ${twin.rows.length === 1 ? 'row' : 'rows'}`
  return (
    <Popover
      label={`Export ${twin.name} as CSV or JSON`}
      trigger={<Icon name="export" />}
      triggerClass="panel-act"
      className="menu"
      align="end"
    >
      {(close) => (
        <>
          <button
            type="button"
            onClick={() => {
              save(`${twin.name}.csv`, 'text/csv', twinToCsv(twin))
              close()
            }}
          >
            CSV, {rows}
          </button>
          <button
            type="button"
            onClick={() => {
              save(`${twin.name}.json`, 'application/json', twinToJson(twin))
              close()
            }}
          >
            JSON, {rows}
          </button>
          {api !== undefined && (
            <button
              type="button"
              onClick={() => {
                navigator.clipboard.writeText(curlOf(window.location.origin, api)).then(
                  () => setSaid('Copied'),
                  () => setSaid('The browser refused to copy'),
                )
                setTimeout(() => {
                  setSaid(null)
                  close()
                }, 1200)
              }}
            >
              <span aria-live="polite">{said ?? 'Copy as curl'}</span>
            </button>
          )}
        </>
      )}
    </Popover>
  )
}
