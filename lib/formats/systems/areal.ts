/**
 * AReaL's trajectory dumps: `…/{experiment}/{trial}/{rollout or eval-rollout}/{version}/{task_id}.jsonl`, a sample a line.
 * Owns: that `task_id` counts submissions and names no task, so that a task is its prompt; that the samples of one file are of the
 * version of their folder, whatever version each ended in.
 */
import { numberInPath } from '@/lib/formats/named-folder'
import { promptKey } from '@/lib/formats/prompt-key'
import { rewardValue } from '@/lib/formats/reward-value'
import { RolloutTaker } from '@/lib/formats/rollout-taker'
import { type Field, type System, unused } from '@/lib/formats/system'
import { textCalls } from '@/lib/formats/text-calls'
import { asCount, asKey, asText, has, type Row } from '@/lib/formats/untyped'

const FIELDS: readonly Field[] = [
  ['environment', '(the folders of the file)'],
  ['task', 'prompt'],
  ['policy version', '(the folder of the file)'],
  ['policy version', 'tail_version'],
  ['reward', 'reward'],
  ['messages', 'completion'],
  ['tokens', 'seqlen'],
  ['tokens', 'prompt_len'],
]

export const areal: System = {
  key: 'areal',
  forms: [
    {
      kind: 'areal',
      name: 'AReaL trajectory dump',
      stage: 'rollouts',
      recognise: (row) =>
        asKey(row.task_id) !== null &&
        has(row, 'prompt') &&
        'completion' in row &&
        ('tail_version' in row || 'head_version' in row),
      fields: (row) => [...FIELDS, ...unused(row, FIELDS)],
    },
  ],
  begin({ draft, ladder }) {
    const taker = new RolloutTaker(draft, ladder)
    return {
      open(_kind, { name }) {
        const environment = environmentOf(name)
        const folder = numberInPath(name, /(?:^|[\\/])(\d+)[\\/][^\\/]*$/)
        return (row) => take(taker, row, environment, folder)
      },
      finish: () => taker.finish(),
    }
  },
}

function take(taker: RolloutTaker, row: Row, environment: string, folder: number | null): string | null {
  const task = promptKey(row.prompt)
  const prompt = asText(row.prompt)
  if (task === null || prompt === null) return 'a sample without a prompt'
  const completion = typeof row.completion === 'string' ? row.completion : ''
  const [whole, before] = [asCount(row.seqlen), asCount(row.prompt_len)]
  return taker.take({
    environment,
    task,
    about: { text: prompt },
    model: 'model',
    version: folder ?? asCount(row.tail_version) ?? asCount(row.head_version),
    reward: rewardValue(row.reward),
    messages: [
      { role: 'user', content: prompt },
      { role: 'assistant', content: completion },
    ],
    calls: textCalls(completion),
    tokens: whole === null || before === null || whole < before ? null : whole - before,
  })
}

/** The experiment, and apart from it what was only evaluated. */
function environmentOf(name: string): string {
  const folders = name.split(/[\\/]/).slice(0, -1)
  const at = folders.findLastIndex((folder) => folder === 'rollout' || folder === 'eval-rollout')
  if (at < 0) return 'rollout'
  const experiment = folders[at - 2] ?? 'rollout'
  return folders[at] === 'eval-rollout' ? `${experiment} (evaluation)` : experiment
}
