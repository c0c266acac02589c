/** Result files of tau-bench: lists of trials. */
import { stemOf } from '@/lib/formats/file-place'
import type { System } from '@/lib/formats/system'
import { TrialResults } from '@/lib/formats/trial-results'
import { asList, has } from '@/lib/formats/untyped'

const TRIAL = [
  ['environment', 'traj.0.content'],
  ['task', 'task_id'],
  ['task text', 'info.task.instruction'],
  ['task tools', 'info.task.actions.0.name'],
  ['policy version', '(the name of the file)'],
  ['reward', 'reward'],
  ['status', 'info.error'],
  ['messages', 'traj'],
] as const

export const tauBench: System = {
  key: 'tau-bench',
  forms: [
    {
      kind: 'tau-trials',
      name: 'tau-bench results',
      stage: 'rollouts',
      recognise: (row) => has(row, 'task_id', 'reward', 'info') && asList(row.traj) !== null,
      fields: () => TRIAL,
    },
  ],
  begin({ draft, ladder, skip }) {
    const files: { name: string; trials: TrialResults }[] = []
    return {
      open(_kind, { name }) {
        const trials = new TrialResults(draft, ladder, stemOf(name))
        files.push({ name, trials })
        return (row, line) => trials.add(row, line)
      },
      finish() {
        for (const { name, trials } of files) trials.finish((reason, line) => skip(name, reason, line))
      },
    }
  },
}
