'use client'
/* Owns the full answer to "does the graph help in this run": the sentence, both gains with their errors, log losses beside shadows. */
import { Num } from '@/components/ui/num'
import { Panel } from '@/components/ui/panel'
import type { Calibration, GraphHelps } from '@/lib/contract/calibration'
import { calibrationWords, lossRows, madeWords } from '@/lib/view/calibration-words'
import { formatFixed } from '@/lib/view/format'
import { lossTwin } from '@/lib/view/predictions-twins'

const LOSS =
  'Minus the log likelihood of a rollout, over all groups, each scored before it was taken in; lower is better'

function gainWords(gain: GraphHelps['overPlacebo']): string {
  if (gain === null) return 'not yet'
  const value = formatFixed(gain.value, 3, true)
  return gain.standardError === null ? value : `${value}, standard error ${formatFixed(gain.standardError, 3)}`
}

export function GraphPanel({ run, calibration }: { run: string; calibration: Calibration }) {
  const { helps } = calibration
  return (
    <Panel
      span={4}
      title="Does the graph help?"
      sub="log loss a rollout"
      api={`/runs/${run}/calibration`}
      twin={lossTwin(calibration)}
      isTable
    >
      <p className={helps.verdict === 'not_yet' ? 'text-ink-2' : ''}>{helps.sentence}</p>
      <p className="mt-1 text-12 text-ink-2">
        Gain over no structure {gainWords(helps.overNoStructure)}; over the placebo {gainWords(helps.overPlacebo)}.
      </p>
      <div className="mt-1">
        <table className="tbl" data-rows="small" aria-label="Log loss of predictors">
          <thead>
            <tr>
              <th scope="col">predictor</th>
              <th scope="col" className="num">
                <span className="explained" title={LOSS}>
                  log loss
                </span>
              </th>
              <th scope="col" className="num">
                <span className="explained" title="The same over about the last hundred groups">
                  recent
                </span>
              </th>
            </tr>
          </thead>
          <tbody>
            {lossRows(calibration).map(({ name, kind, logLoss, recentLogLoss }) => (
              <tr key={name} className={kind === 'mixture' ? 'font-medium' : ''}>
                <td title={madeWords(name)}>{calibrationWords(name)}</td>
                <td className="num">
                  <Num kind="error" value={logLoss} absent="not yet" />
                </td>
                <td className="num">
                  <Num kind="error" value={recentLogLoss} absent="not yet" />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}
