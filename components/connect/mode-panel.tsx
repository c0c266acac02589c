'use client'
/* Owns the choice of who chooses the tasks, and the lines that differ. */
import { useId } from 'react'
import { useViewParam } from '@/components/shell/use-view-param'
import { CopyButton } from '@/components/ui/copy-button'
import { Panel } from '@/components/ui/panel'
import { CodeView } from './code-view'

const MODES = [
  {
    mode: 'choose',
    title: 'EnvSched chooses',
    text: 'the trainer asks for each batch',
    code: [
      'run = client.start_run(tasks, "my run", key="my-run")',
      'batch = run.next_batch(size=64, group_size=8, policy_version=step)',
      'run.report([pick.rollout(reward) for pick, reward in played(batch)])',
    ],
  },
  {
    mode: 'shadow',
    title: 'Shadow mode',
    text: 'the trainer chooses and only reports; predictions are judged all the same',
    code: [
      'run = client.start_run(tasks, "my run", key="my-run", mode="shadow")',
      '# no next_batch: choose as before',
      'run.report([{"environment": e, "task": t, "policyVersion": step, "reward": r} for e, t, r in played])',
    ],
  },
] as const

export function ModePanel() {
  const [mode, setMode] = useViewParam('mode')
  const name = useId()
  const on = mode === 'shadow' ? MODES[1] : MODES[0]
  return (
    <Panel title="Let it choose, or only watch" acts={<CopyButton text={on.code.join('\n')} />}>
      <fieldset className="grid grid-cols-2 gap-[10px] max-sm:grid-cols-1" aria-label="Mode">
        {MODES.map((one) => (
          <label key={one.mode} className="mode-option">
            <input
              type="radio"
              name={name}
              checked={one === on}
              onChange={() => setMode(one.mode === 'shadow' ? 'shadow' : null)}
            />
            <span>
              <b className="font-medium">{one.title}</b>
              <br />
              <span className="text-12 text-ink-2">{one.text}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <div className="mt-2">
        <CodeView
          label={`Lines for ${on.title}`}
          lines={on.code.map((text) => ({ text, adapt: false, comment: text.startsWith('#') }))}
        />
      </div>
    </Panel>
  )
}
