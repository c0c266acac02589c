/* Owns the Runs page before the first run: one click to something worth seeing, then the two other ways in. */
import { Panel } from '@/components/ui/panel'
import { Sheet } from '@/components/ui/sheet'
import { Verdict } from '@/components/ui/verdict'
import type { StartDemo, StartRun } from '@/lib/contract/action'
import type { TaskSetSummary } from '@/lib/contract/task-set'
import { countWord } from '@/lib/view/format'
import { ConnectTrainer } from './connect-trainer'
import { ImportFiles } from './import-files'
import { DEMO_WORDS, StartDemoButton } from './start-demo'
import { TaskSetsPanel } from './task-sets-panel'
import { WhyItHelps } from './why-it-helps'

const STEPS = [
  { after: '5 s', title: 'First batch', page: 'Batch', text: 'each pick says why it was chosen' },
  { after: '20 s', title: 'Evidence travels', page: 'Graph', text: 'a task never tried is predicted from neighbours' },
  { after: '60 s', title: 'The lines part', page: 'Overview', text: 'informative groups leave the uniform line' },
  {
    after: 'any time',
    title: 'Your turn',
    page: 'Steering',
    text: 'raise a quota, see the next batch before it is drawn',
  },
]

export function RunsEmpty({
  notRun,
  startDemo,
  startRun,
}: {
  notRun: readonly TaskSetSummary[]
  startDemo: StartDemo
  startRun: StartRun
}) {
  return (
    <>
      <Verdict context="EnvSched picks the tasks your policy neither always solves nor always fails, because only those teach it anything. It learns which from the rewards that come back.">
        {notRun.length === 0
          ? 'Nothing has run yet. The demo takes one click and about a minute to be worth looking at.'
          : `${countWord(notRun.length, true)} task ${notRun.length === 1 ? 'set is' : 'sets are'} here and nothing has run yet: start a run below, then let a trainer join it.`}
      </Verdict>
      <TaskSetsPanel sets={notRun} startRun={startRun} />
      <Sheet>
        <Panel span={5} title="1. See it work" sub="demo, no trainer needed">
          <p className="text-ink-2">{DEMO_WORDS}</p>
          <StartDemoButton startDemo={startDemo} primary />
          <ol className="mt-[14px] border-t border-line-1">
            {STEPS.map((step) => (
              <li key={step.title} className="grid grid-cols-[64px_1fr] gap-2 border-b border-line-1 py-[6px]">
                <span className="whitespace-nowrap text-ink-3">{step.after}</span>
                <span>
                  <b className="font-medium">{step.title}</b>
                  <br />
                  <span className="text-12 text-ink-2">
                    <b className="font-medium text-ink-1">{step.page}</b>: {step.text}
                  </span>
                </span>
              </li>
            ))}
          </ol>
        </Panel>
        <Panel span={4} title="2. Use it" sub="with your own trainer">
          <ConnectTrainer />
        </Panel>
        <Panel span={3} title="3. Look back" sub="at a run that is over">
          <ImportFiles />
        </Panel>
        <div className="col-span-12">
          <WhyItHelps />
        </div>
      </Sheet>
    </>
  )
}
