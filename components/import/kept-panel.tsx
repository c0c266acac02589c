/* Owns the rows that came in: by status, without a usable reward, groups of the usual size. */
import { Panel } from '@/components/ui/panel'
import type { ImportJob } from '@/lib/contract/import-job'
import { formatFixed, formatNumber } from '@/lib/view/format'
import { keptRows } from '@/lib/view/import-skips'

export function KeptPanel({ job }: { job: ImportJob }) {
  const rows = keptRows(job)
  if (rows.length === 0) return null
  const untrusted = Object.entries(job.untrusted)
    .filter(([reason]) => reason !== 'status')
    .reduce((sum, [, count]) => sum + count, 0)
  const twin = {
    name: 'kept rows',
    columns: ['what', 'count', 'share'],
    rows: rows.map(({ word, count, share }) => [word, count, share]),
  }
  return (
    <Panel title="Kept rows" sub={formatFixed(job.source?.kept ?? 0, 0)} twin={twin} api={`/imports/${job.id}`} isTable>
      <table className="tbl" data-rows="small" aria-label="Kept rows">
        <tbody>
          {rows.map(({ word, note, count, share }) => (
            <tr key={word}>
              <td>
                {word} {note !== null && <span className="text-12 text-ink-3">{note}</span>}
              </td>
              <td className="num">{formatFixed(count, 0)}</td>
              <td className="num text-ink-2">{formatNumber('share', share, 'among ok')}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {untrusted > 0 && (
        <p className="mt-2 text-12 text-ink-3">
          A missing reward is never 0: those {formatFixed(untrusted, 0)} are kept as untrusted.
        </p>
      )}
    </Panel>
  )
}
