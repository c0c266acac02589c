'use client'
/* Owns the comparison by where a prediction mainly came from: own history, within its environment, across, or nothing but the prior. */
import { Key } from '@/components/ui/key'
import { Num } from '@/components/ui/num'
import { Panel } from '@/components/ui/panel'
import { NotYetState } from '@/components/ui/panel-state'
import type { Calibration } from '@/lib/contract/calibration'
import { formatCount } from '@/lib/view/format'
import { evidenceTwin } from '@/lib/view/predictions-twins'

const HEIGHT = 196
const WORDS = {
  own: ['Own', 'the task itself'],
  within: ['Within', 'its environment'],
  cross: ['Cross', 'other environments'],
  prior: ['Prior', 'hardly any evidence'],
} as const
/** A box that can scroll must be reachable by keyboard. */
const SCROLLS = { tabIndex: 0 }
/** and whether it goes first where the page is narrow */
const HEADS = [
  ['groups', false],
  ['predicted', true],
  ['realised', true],
  ['EnvSched', false],
  ['no structure', false],
  ['placebo', false],
  ['best possible', false],
] as const
const MARKS = { own: 'square', within: 'square', cross: 'dash', prior: 'hatch' } as const
const MAINLY =
  'The largest share by size; prior where all evidence together moved the prediction by less than a quarter of its prior'

export function EvidenceKindPanel({ run, calibration }: { run: string; calibration: Calibration }) {
  const { all, compared, evidence } = calibration
  const known = evidence.reduce((sum, { groups }) => sum + groups, 0)
  const at = (name: string) => compared.findIndex((one) => one.name === name)
  const [plain, placebo] = [at('no structure'), at('placebo')]
  return (
    <Panel
      span={8}
      title="By evidence"
      sub="error, by where most of the prediction came from"
      api={`/runs/${run}/calibration`}
      twin={evidenceTwin(calibration)}
      isTable
    >
      {known === 0 ? (
        <NotYetState height={HEIGHT}>
          {all.groups === 0
            ? 'Evidence is told apart from the first group that comes back on.'
            : 'No scored group has its shares of evidence kept.'}
        </NotYetState>
      ) : (
        <div style={{ minHeight: HEIGHT }}>
          <section {...SCROLLS} className="tbl-scroll" aria-label="Error by kind of evidence, scrolls sideways">
            <table className="tbl" data-rows="tight" aria-label="Error by kind of evidence">
              <thead>
                <tr>
                  <th scope="col">
                    <span className="explained" title={MAINLY}>
                      mainly from
                    </span>
                  </th>
                  {HEADS.map(([head, isLow]) => (
                    <th key={head} scope="col" className={isLow ? 'low num' : 'num'}>
                      {head}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {evidence.map(({ kind, groups, predicted, realised, errors, best }) => (
                  <tr key={kind}>
                    <td>
                      <span className="flex items-center gap-1.5 whitespace-nowrap">
                        <Key colour={`var(--ev-${kind})`} mark={MARKS[kind]}>
                          <span className="text-13 text-ink-1">{WORDS[kind][0]}</span>
                        </Key>
                        <span className="text-12 text-ink-3">{WORDS[kind][1]}</span>
                      </span>
                    </td>
                    <td className="num">
                      <Num kind="count" value={groups} absent="n/a" />
                    </td>
                    <td className="low num text-ink-2">
                      <Num kind="variance" value={predicted} absent="no group" />
                    </td>
                    <td className="low num text-ink-2">
                      <Num kind="variance" value={realised} absent="no group" />
                    </td>
                    <td className="num font-medium">
                      <Num kind="error" value={errors[0]} absent="no group" />
                    </td>
                    <td className="num text-ink-2">
                      <Num kind="error" value={errors[plain]} absent="no group" />
                    </td>
                    <td className="num text-ink-2">
                      <Num kind="error" value={errors[placebo]} absent="no group" />
                    </td>
                    <td className="num text-ink-2">
                      <Num kind="error" value={best} absent="not yet" />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
          <p className="less mt-1.5 text-12 text-ink-3">2 columns hidden: predicted, realised.</p>
          <p className="mt-1.5 text-12 text-ink-3">
            {known === all.groups
              ? 'Predicted and realised: mean variance of these groups.'
              : `Predicted and realised: mean variance of these groups. ${formatCount(all.groups - known, 'group')} without kept shares ${all.groups - known === 1 ? 'is' : 'are'} in none: late ones, and of long histories only every so many is explained.`}
          </p>
        </div>
      )}
    </Panel>
  )
}
