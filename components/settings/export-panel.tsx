'use client'
/* Owns what can be taken away as files. A press downloads; the server writes while the browser reads. */
import { useQuery } from '@tanstack/react-query'
import { Icon } from '@/components/ui/icon'
import { Panel } from '@/components/ui/panel'
import { ErrorState, LoadingState } from '@/components/ui/panel-state'
import { apiPath } from '@/lib/client/request'
import { exportsQuery } from '@/lib/client/settings'
import type { ExportFile } from '@/lib/contract/export'
import { EXPORT_ORDER, EXPORT_WORDS, exportSizes, formatWord } from '@/lib/view/settings-words'

const HEIGHT = 530

function Download({ run, file }: { run: string; file: ExportFile }) {
  const word = formatWord(file.format)
  const sizes = exportSizes([file])
  return (
    <a
      className="btn"
      data-size="small"
      download
      href={apiPath(`/runs/${run}/exports/${file.name}`, { format: file.format })}
      aria-label={`Export ${EXPORT_WORDS[file.name]} as ${word}`}
      title={sizes}
    >
      <Icon name="export" />
      {word}
    </a>
  )
}

export function ExportPanel({ run }: { run: string }) {
  const { data, error, refetch } = useQuery(exportsQuery(run))
  return (
    <Panel title="Export" sub="written when you ask; sizes are guesses" span={6}>
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
                    <span className="why">{exportSizes(files)}</span>
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
