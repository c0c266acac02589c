'use client'
/* Owns the comparison of predictors by how much history a task had, cold tasks apart. */
import { Num } from '@/components/ui/num'
import { Panel } from '@/components/ui/panel'
import { NotYetState } from '@/components/ui/panel-state'
import type { Calibration } from '@/lib/contract/calibration'
import { besideWords, calibrationWords, lookOf, madeWords } from '@/lib/view/calibration-words'
import { depthTwin, depthWords } from '@/lib/view/predictions-twins'

const HEIGHT = 292
/** A box that can scroll must be reachable by keyboard. */
const SCROLLS = { tabIndex: 0 }
const COLOURS: Record<string, string> = { ours: 'var(--series-main)', placebo: 'var(--term-quota)' }
/** Keys of the error columns, in the order served. */
const COLUMNS = ['all', 'cold', 'few', 'some', 'many']
const CEILING =
  'Correlation of predicted with realised variance, over the highest that a perfect predictor reaches: what is realised of a group is noisy'

export function DepthPanel({ run, calibration }: { run: string; calibration: Calibration }) {
  const { all, compared, depth } = calibration
  const rows = compared
    .map(({ name, ofCeiling }, p) => ({
      name,
      ofCeiling,
      errors: [all, ...depth].map(({ errors }) => errors[p] ?? null),
    }))
    .sort((a, b) => (a.errors[0] ?? 0) - (b.errors[0] ?? 0))
  const most = Math.max(...rows.map(({ errors }) => errors[0] ?? 0)) * 1.05
  return (
    <Panel
      span={8}
      title="By depth of history"
      sub="error, by groups that the task had before"
      api={`/runs/${run}/calibration`}
      twin={depthTwin(calibration)}
      isTable
    >
      {all.groups === 0 ? (
        <NotYetState height={HEIGHT}>Predictors are compared from the first group that comes back on.</NotYetState>
      ) : (
        <section
          {...SCROLLS}
          className="tbl-scroll"
          aria-label="Error by depth of history, scrolls sideways"
          style={{ minHeight: HEIGHT }}
        >
          <table className="tbl" data-rows="tight" aria-label="Error by depth of history">
            <thead>
              <tr>
                <th scope="col">predictor</th>
                <th scope="col" className="low">
                  <span className="sr-only">error as a bar</span>
                </th>
                <th scope="col" className="num" aria-sort="ascending">
                  all
                </th>
                {depth.map((part) => (
                  <th key={part.from} scope="col" className="num">
                    {part.from === 0 ? 'cold, 0' : depthWords(part)}
                  </th>
                ))}
                <th scope="col" className="num">
                  <span className="explained" title={CEILING}>
                    of ceiling
                  </span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ name, ofCeiling, errors }) => {
                const look = lookOf(name)
                return (
                  <tr key={name} className={look === 'ours' ? 'font-medium' : 'text-ink-2'}>
                    <td className="whitespace-nowrap" title={madeWords(name)}>
                      <span className={look === 'ours' ? '' : 'text-ink-1'}>{calibrationWords(name)}</span>{' '}
                      <span className="text-12 font-normal text-ink-3 max-sm:block">{besideWords(name)}</span>
                    </td>
                    <td className="low w-[110px]">
                      <div className="h-2.5 bg-surface-2">
                        <div
                          className="h-2.5"
                          style={{
                            width: `${((errors[0] ?? 0) / most) * 100}%`,
                            background: COLOURS[look] ?? 'var(--series-ref)',
                          }}
                        />
                      </div>
                    </td>
                    {errors.map((error, at) => (
                      <td key={COLUMNS[at]} className="num">
                        <Num kind="error" value={error} absent="no group" />
                      </td>
                    ))}
                    <td className="num">
                      <Num kind="share" value={ofCeiling} absent="n/a" decimals={0} />
                    </td>
                  </tr>
                )
              })}
            </tbody>
            <tfoot>
              <Foot
                name="best possible"
                explain="Noise ceiling of these groups: root of the mean noise of a group's variance, needs 20 groups of four rollouts or more, and many more where groups are that small"
                cells={[all, ...depth].map(({ best }) => best)}
                kind="error"
              />
              <Foot
                name="groups"
                explain="Groups that every predictor predicted before they came back"
                cells={[all, ...depth].map(({ groups }) => groups)}
                kind="count"
              />
            </tfoot>
          </table>
        </section>
      )}
    </Panel>
  )
}

function Foot({
  name,
  explain,
  cells,
  kind,
}: {
  name: string
  explain: string
  cells: readonly (number | null)[]
  kind: 'error' | 'count'
}) {
  return (
    <tr>
      <td>
        <span className="explained" title={explain}>
          {name}
        </span>
      </td>
      <td className="low" />
      {cells.map((value, at) => (
        <td key={COLUMNS[at]} className="num">
          <Num kind={kind} value={value} absent="not yet" />
        </td>
      ))}
      <td />
    </tr>
  )
}
