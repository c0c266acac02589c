/* Owns the answer of a replay: one sentence, schedulers beside each other, predictions beside their shadows. */
import { Num } from '@/components/ui/num'
import type { ReplayArmReport, ReplayReport } from '@/lib/contract/replay'
import { formatFixed } from '@/lib/view/format'
import { armWords, predictorWords, replayPrediction, replayScale, replayVerdict } from '@/lib/view/replay-words'

function Share({ arm }: { arm: ReplayArmReport }) {
  return (
    <>
      <Num kind="share" value={arm.informativeShare} absent="n/a" />
      {arm.standardError !== null && <span className="unit"> ± {formatFixed(arm.standardError * 100, 1)}</span>}
    </>
  )
}

function Arms({ report }: { report: ReplayReport }) {
  return (
    <table className="tbl" data-rows="small" aria-label="Schedulers on this history">
      <thead>
        <tr>
          <th scope="col">Scheduler</th>
          <th
            scope="col"
            className="num"
            title="Groups whose rewards are not all equal, over all picks; with its standard error over the seeds"
          >
            Informative
          </th>
          <th scope="col" className="num" title="Mean realised variance of what was picked">
            Variance
          </th>
          <th scope="col" className="num">
            Environments
          </th>
        </tr>
      </thead>
      <tbody>
        {report.arms.map((arm) => (
          <tr key={arm.arm} className={arm.arm === 'envsched' ? 'font-medium' : ''}>
            <td>{armWords(arm.arm)}</td>
            <td className="num">
              <Share arm={arm} />
            </td>
            <td className="num">
              <Num kind="variance" value={arm.meanVariance} absent="n/a" />
            </td>
            <td className="num">
              <Num kind="count" value={arm.environmentsSeen} absent="n/a" />
              <span className="unit"> of {formatFixed(report.environments, 0)}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Predictors({ report }: { report: ReplayReport }) {
  const { prediction } = report
  if (prediction === null) return null
  const rows = [['envsched', prediction] as const, ...Object.entries(report.shadows)]
  return (
    <table className="tbl" data-rows="small" aria-label="Predictions against simple predictors">
      <thead>
        <tr>
          <th scope="col">Predictor</th>
          <th
            scope="col"
            className="num"
            title="Rank correlation of predicted and realised variance of uniformly drawn groups, before each was told"
          >
            Rank
          </th>
          <th scope="col" className="num" title="How often an informative group was ranked above one that is not">
            AUC
          </th>
          <th scope="col" className="num" title="Mean difference of predicted and realised variance">
            Error
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, score]) => (
          <tr key={name} className={name === 'envsched' ? 'font-medium' : ''}>
            <td>{predictorWords(name)}</td>
            <td className="num">
              <Num kind="score" value={score.spearman} absent="n/a" />
            </td>
            <td className="num">
              <Num kind="score" value={score.auc} absent="n/a" />
            </td>
            <td className="num">
              <Num kind="error" value={score.meanAbsoluteError} absent="n/a" />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

export function ReplayResult({ report, address, name }: { report: ReplayReport; address: string; name: string }) {
  return (
    <>
      <p className="font-medium wrap-anywhere">{replayVerdict(report)}</p>
      <p className="mt-1 text-ink-2">{replayPrediction(report)}</p>
      <div className="mt-2 grid grid-cols-12 gap-x-7 gap-y-4">
        <div className="col-span-7 tbl-scroll max-lg:col-span-12">
          <Arms report={report} />
        </div>
        <div className="col-span-5 tbl-scroll max-lg:col-span-12">
          <Predictors report={report} />
        </div>
      </div>
      <p className="mt-2 text-12 text-ink-3">
        {replayScale(report)}{' '}
        <a href={address} download={name}>
          Take the whole report away as JSON
        </a>
      </p>
    </>
  )
}
