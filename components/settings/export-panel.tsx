'use client'
/* Owns what can be taken away as files. A press downloads; the server writes while the browser reads. */
import { useQuery } from '@tanstack/react-query'
import { Icon } from '@/components/ui/icon'
import { Panel } from '@/components/ui/panel'
import { ErrorState, LoadingState } from '@/components/ui/panel-state'
import { apiPath } from '@/lib/client/request'
import { exportsQuery } from '@/lib/client/settings'
import type { ExportFile } from '@/lib/contract/export'
import { formatBytes } from '@/lib/view/bytes'
import { formatCount } from '@/lib/view/format'
import { EXPORT_ORDER, EXPORT_WORDS } from '@/lib/view/settings-words'

const HEIGHT = 226

function Download({ run, file }: { run: string; file: ExportFile }) {
  const word = file.format.toUpperCase().replace('.GZ', '.gz')
  return (
    <a
      className="btn"
      data-size="small"
      download
      href={apiPath(`/runs/${run}/exports/${file.name}`, { format: file.format })}
      aria-label={`Export ${EXPORT_WORDS[file.name]} as ${word}, about ${formatBytes(file.bytes, 'n/a')}`}
      title={`${formatCount(file.rows, 'row')}, about ${formatBytes(file.bytes, 'n/a')}`}
    >
      <Icon name="export" />
      {word}
    </a>
  )
}

function sizeWords(files: readonly ExportFile[]): string {
  const [first] = files
  if (first === undefined || first.rows === 0) return 'none yet'
  return `${formatCount(first.rows, 'row')}, about ${files.map((file) => formatBytes(file.bytes, 'n/a')).join(' or ')}`
}

export function ExportPanel({ run }: { run: string }) {
  const { data, error, refetch } = useQuery(exportsQuery(run))
  return (
    <Panel title="Export" sub="written while you download; sizes are guesses" span={6}>
      <span id="export" />
      {data === undefined && error === null && <LoadingState height={HEIGHT} />}
      {data === undefined && error !== null && (
        <ErrorState title="Could not load what can be exported" height={HEIGHT} onRetry={() => void refetch()}>
          {error.message}
        </ErrorState>
      )}
      {data !== undefined && (
        <table className="tbl" data-rows="two" aria-label="Exports" style={{ minHeight: HEIGHT }}>
          <tbody>
            {EXPORT_ORDER.map((name) => {
              const files = data.items.filter((file) => file.name === name)
              return (
                <tr key={name}>
                  <td>
                    {EXPORT_WORDS[name]}
                    <span className="why">{sizeWords(files)}</span>
                  </td>
                  <td className="num">
                    <span className="inline-flex gap-[6px]">
                      {files.map((file) => (
                        <Download key={file.format} run={run} file={file} />
                      ))}
                    </span>
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
    </Panel>
  )
}
