/* Owns the table at the last place that all runs reached. "Shown" only where the interval leaves out zero. */
import { Icon } from '@/components/ui/icon'
import { Panel } from '@/components/ui/panel'
import { NotYetState } from '@/components/ui/panel-state'
import type { Comparison } from '@/lib/contract/comparison'
import { type CommonRow, commonRows, commonTwin } from '@/lib/view/compare-common'
import { type Configuration, seedWord } from '@/lib/view/compare-configurations'
import { short } from '@/lib/view/compare-lines'
import { placeWords, reachedBy } from '@/lib/view/compare-words'
import { formatFixed } from '@/lib/view/format'

// a region that scrolls has to be reachable by keyboard
const SCROLLS = { tabIndex: 0 }

function So({ so }: { so: CommonRow['so'] }) {
  if (so === 'shown')
    return (
      <span className="inline-flex items-center gap-[6px]">
        <Icon name="check" className="text-ok" />
        shown
      </span>
    )
  return so === 'n/a' ? <span className="unit">n/a</span> : <span className="text-ink-2">not shown yet</span>
}

const known = (text: string) => (text === 'n/a' || text === 'no interval' ? <span className="unit">{text}</span> : text)

export function CommonPanel({
  comparison,
  ordered,
  pair,
  api,
}: {
  comparison: Comparison
  ordered: readonly Configuration[]
  pair: readonly [Configuration, Configuration] | null
  api: string
}) {
  const { axis, common } = comparison
  const runs = ordered.flatMap((one) => one.runs)
  const rows = commonRows(comparison, runs, pair)
  const title = common === null ? 'At the last common place' : `At ${placeWords(axis, common)}`
  return (
    <Panel
      title={title}
      sub={common === null ? undefined : `${reachedBy(comparison.runs)}${rolloutsWords(comparison)}`}
      twin={commonTwin(rows, runs, pair)}
      api={api}
      isTable
    >
      {rows.length === 0 ? (
        <NotYetState height={164}>Every run needs a whole step first.</NotYetState>
      ) : (
        <section className="tbl-scroll" aria-label={`${title}, the table`} {...SCROLLS}>
          <table className="tbl" aria-label={title}>
            <thead>
              <tr>
                <th scope="col">measure</th>
                {ordered.flatMap((one) =>
                  one.runs.map((run, i) => (
                    <th key={run.id} scope="col" className="num" title={`${run.name}, ${one.name}, seed ${run.seed}`}>
                      <span className="inline-block max-w-[150px] truncate align-bottom">
                        {seedWord(run) === run.name || one.name === run.name
                          ? run.name
                          : `${i === 0 ? `${one.name} ` : ''}${seedWord(run)}`}
                      </span>
                    </th>
                  )),
                )}
                <th
                  scope="col"
                  className="num"
                  title={pair === null ? undefined : `${pair[0].name} minus ${pair[1].name}`}
                >
                  {pair === null ? 'difference' : `${short(pair[0].name)} − ${short(pair[1].name)}`}
                </th>
                <th scope="col" className="num">
                  <span className="explained" title="t-interval over seeds, paired by seed where seeds are shared">
                    95 % interval
                  </span>
                </th>
                <th scope="col" className="pl-4!">
                  <span className="explained" title="Shown: the interval leaves out zero">
                    so
                  </span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.key}>
                  <td className="whitespace-nowrap">
                    <span className="explained font-medium" title={row.explain}>
                      {row.name}
                    </span>
                    {row.unit !== null && <span className="unit"> {row.unit}</span>}
                  </td>
                  {runs.map((run, i) => (
                    <td key={run.id} className="num">
                      {known(row.write(row.values[i] ?? null))}
                    </td>
                  ))}
                  <td className="num">
                    <b className="font-medium">{known(row.written)}</b>
                  </td>
                  <td className="num">{known(row.interval)}</td>
                  <td className="pl-4! whitespace-nowrap">
                    <So so={row.so} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Panel>
  )
}

/* ": 31 744 rollouts each", or from the fewest to the most. */
function rolloutsWords({ axis, runs }: Comparison): string {
  const counts = runs.flatMap((run) => run.atCommon?.rollouts ?? [])
  if (axis === 'rollouts' || counts.length === 0) return ''
  const [low, high] = [Math.min(...counts), Math.max(...counts)]
  if (low === high) return `: ${formatFixed(low, 0)} rollouts${counts.length > 1 ? ' each' : ''}`
  return `: ${formatFixed(low, 0)} to ${formatFixed(high, 0)} rollouts`
}
