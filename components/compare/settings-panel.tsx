'use client'
/* Owns what the compared runs were set to: what differs, with what was changed by hand; the equal ones on a press. */
import Link from 'next/link'
import { tabPath } from '@/components/shell/run-tabs'
import { useViewParam } from '@/components/shell/use-view-param'
import { Button } from '@/components/ui/button'
import { Panel } from '@/components/ui/panel'
import type { Configuration } from '@/lib/view/compare-configurations'
import { runHeads } from '@/lib/view/compare-lines'
import { settingRows } from '@/lib/view/compare-settings'
import { formatFixed } from '@/lib/view/format'

const QUIET = new Set(['n/a', 'none', 'never', 'not said', 'no batch yet'])

// a region that scrolls has to be reachable by keyboard
const SCROLLS = { tabIndex: 0 }

export function SettingsPanel({ ordered, api }: { ordered: readonly Configuration[]; api: string }) {
  const [shown, setShown] = useViewParam('settings')
  const runs = ordered.flatMap((one) => one.runs)
  const rows = settingRows(runs)
  const differing = rows.filter((row) => row.differs)
  const equal = rows.length - differing.length
  const all = shown === 'all'
  const drawn = all ? rows : differing
  const twin = {
    name: 'compare settings',
    columns: ['setting', ...runHeads(runs), 'differs'],
    rows: rows.map((row) => [row.name, ...row.cells.map(({ text }) => text), row.differs]),
  }
  return (
    <Panel
      title="Settings that differ"
      sub={`${formatFixed(differing.length, 0)} of ${formatFixed(rows.length, 0)}; numbers after from and to are batches`}
      twin={twin}
      api={api}
      isTable
      acts={
        <Button size="small" kind="quiet" onClick={() => setShown(all ? null : 'all')}>
          {all ? 'Hide the equal ones' : `Show the ${formatFixed(equal, 0)} equal ones`}
        </Button>
      }
    >
      {drawn.length === 0 ? (
        <p className="py-2 text-ink-2">
          {ordered.flatMap(({ runs }) => runs).length < 2
            ? 'One run has nothing to differ from.'
            : 'All settings of these runs are equal, the seed as well.'}
        </p>
      ) : (
        <section className="tbl-scroll" aria-label="Settings that differ, the table" {...SCROLLS}>
          <table className="tbl" aria-label="Settings that differ">
            <thead>
              <tr>
                <th scope="col">setting</th>
                {runs.map((run) => (
                  <th key={run.id} scope="col">
                    <Link
                      href={tabPath(run.id, 'settings')}
                      className="inline-block max-w-[180px] truncate align-bottom"
                    >
                      {run.name}
                    </Link>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {drawn.map((row) => (
                <tr key={row.name}>
                  <td className="text-ink-2">{row.name}</td>
                  {row.cells.map((cell, i) => (
                    <td
                      key={runs[i]?.id ?? i}
                      className={`wrap-anywhere ${cell.changed ? 'font-medium' : QUIET.has(cell.text) ? 'text-ink-3' : ''}`}
                    >
                      {cell.text}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Panel>
  )
}
