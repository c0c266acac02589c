/* Owns how the file is read: what of a row becomes what here, with a value of its first readable row. Read only. */
import { Panel } from '@/components/ui/panel'
import { NothingState, NotYetState } from '@/components/ui/panel-state'
import type { ImportJob } from '@/lib/contract/import-job'
import { mappingTwin } from '@/lib/view/import-skips'
import { isOver } from '@/lib/view/import-verdict'

const HEIGHT = 250

export function MappingPanel({ job }: { job: ImportJob }) {
  const fields = job.source?.mapping ?? []
  const several = new Set(fields.map(({ format }) => format)).size > 1
  return (
    <Panel
      span={8}
      title="How the file is read"
      sub="examples are of its first readable row"
      twin={mappingTwin(job)}
      api={`/imports/${job.id}`}
      isTable
    >
      {fields.length === 0 ? (
        isOver(job) ? (
          <NothingState height={HEIGHT} title="No form was recognised">
            Nothing of these files could be read.
          </NothingState>
        ) : (
          <NotYetState height={HEIGHT}>The first rows tell the form.</NotYetState>
        )
      ) : (
        <div className="tbl-scroll" style={{ minHeight: HEIGHT }}>
          <table className="tbl min-w-[520px]!" data-rows="small" aria-label="How the file is read">
            <thead>
              <tr>
                <th scope="col">here</th>
                <th scope="col">in the file</th>
                <th scope="col">for example</th>
              </tr>
            </thead>
            <tbody>
              {fields.map(({ format, here, from, example }) => (
                <tr key={`${format} ${here} ${from}`}>
                  <td
                    className={here === 'not used' ? 'whitespace-nowrap text-ink-3' : 'font-medium whitespace-nowrap'}
                  >
                    {here}
                    {several && <span className="unit"> {format}</span>}
                  </td>
                  <td>
                    {from.startsWith('(') ? (
                      <span className="text-ink-2">{from.slice(1, -1)}</span>
                    ) : (
                      <code>{from}</code>
                    )}
                  </td>
                  <td className="wrap-anywhere text-ink-2">
                    {example ?? <span className="unit">{from.startsWith('(') ? 'n/a' : 'not in that row'}</span>}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  )
}
