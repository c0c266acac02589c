/**
 * Completions that TRL's GRPO trainer logs, a table a step: `step, prompt, completion`, a column a reward function, columns of
 * `log_extra`, `advantage`. Owns: which columns are rewards, since nothing marks them: those between the completion and the first
 * one that is no number or is named like a task's; that the reward is their sum (weights are not in the file); that NaN and null
 * mean "did not judge"; that an advantage is no reward.
 */
import { type Message, messagesOf } from '@/lib/formats/chat'
import { inChatForm } from '@/lib/formats/chat-form'
import { namedFolder } from '@/lib/formats/named-folder'
import { promptKey, promptText } from '@/lib/formats/prompt-key'
import { finitePart, type Part, rewardValue, sumOf } from '@/lib/formats/reward-value'
import { RolloutTaker } from '@/lib/formats/rollout-taker'
import { versionOf } from '@/lib/formats/row-version'
import { type Field, type System, type Take, unused } from '@/lib/formats/system'
import { textCalls } from '@/lib/formats/text-calls'
import { asKey, asText, has, type Row } from '@/lib/formats/untyped'

const ENVIRONMENTS = ['environment', 'env', 'env_name', 'data_source'] as const
const TASKS = ['task', 'task_id', 'task_key', 'id', 'index'] as const
const FIXED = new Set(['step', 'prompt', 'completion', 'advantage', 'image', 'images'])
const EXTRA =
  /^(?:environment|env|env_name|data_source|task|task_id|task_key|id|idx|index|uid|lease|group|seed|split|worker|answer|solution|ground_truth|label|__.*)$/i
const GENERIC = /^(?:completions|data|logs?|outputs?)$/i
const WITHOUT_FOLDER = 'trl'

/** The columns of a row that are rewards; `extra`: columns that turned out to be none, which this call adds to. */
function rewardColumns(row: Row, extra: Set<string>): string[] {
  const columns: string[] = []
  let over = false
  for (const name of Object.keys(row)) {
    if (FIXED.has(name)) continue
    const value = row[name]
    const none = value === null || value === undefined
    const number = typeof value === 'number' || typeof value === 'bigint' || value === 'NaN'
    over ||= extra.has(name) || EXTRA.test(name) || !(none || number)
    if (over) extra.add(name)
    else columns.push(name)
  }
  return columns
}

function fieldsOf(row: Row): Field[] {
  const environment = ENVIRONMENTS.find((name) => asText(row[name]) !== null)
  const task = TASKS.find((name) => asKey(row[name]) !== null)
  const rewards = rewardColumns(row, new Set())
  const fields: Field[] = [
    ['environment', environment ?? '(the folder)'],
    ['task', task ?? '(the prompt, by its hash)'],
    ['policy version', 'step'],
    ...(rewards.length === 1 ? [] : [['reward', '(the sum of its parts)'] as const]),
    ...rewards.map((name) => [rewards.length === 1 ? 'reward' : 'reward part', name] as const),
    ['task text', 'prompt'],
    ['messages', 'completion'],
  ]
  return [...fields, ...unused(row, fields)]
}

export const trl: System = {
  key: 'trl',
  forms: [
    {
      kind: 'trl-completions',
      name: 'TRL completions',
      stage: 'rollouts',
      // older releases log no advantage, and one column with the sum
      recognise: (row, { columns }) =>
        'step' in row &&
        'prompt' in row &&
        'completion' in row &&
        ('advantage' in row || (columns !== null && !(has(row, 'environment', 'task') && 'reward' in row))),
      fields: fieldsOf,
    },
  ],
  begin({ draft, ladder }) {
    const taker = new RolloutTaker(draft, ladder)
    const extra = new Set<string>()
    return {
      open: (_kind, { name }) => takeOf(taker, extra, namedFolder(name, GENERIC) ?? WITHOUT_FOLDER),
      finish: () => taker.finish(),
    }
  },
}

function takeOf(taker: RolloutTaker, extra: Set<string>, folder: string): Take {
  return (row) => {
    const prompt = promptKey(row.prompt)
    const named = TASKS.map((name) => asKey(row[name])).find((name) => name !== null)
    const task = named ?? prompt
    if (task === null) return 'a completion without a prompt'
    const components = rewardColumns(row, extra).map((name): Part => ({ name, value: judged(row[name]) }))
    const completion = messagesOf(row.completion, 'assistant').map(inChatForm)
    const messages: Message[] = [...messagesOf(row.prompt).map(inChatForm), ...completion]
    const text = asText(row.completion)
    return taker.take({
      environment: ENVIRONMENTS.map((name) => asText(row[name])).find((name) => name !== null) ?? folder,
      task,
      about: { text: promptText(row.prompt) ?? undefined },
      verifier: { checks: components.map(({ name }) => name) },
      model: 'policy',
      version: versionOf(row),
      reward: sumOf(components.map(({ value }) => value)),
      components: components.length === 0 ? null : components,
      messages,
      ...(text === null ? {} : { calls: textCalls(text) }),
    })
  }
}

/** NaN is how the table writes None: this function did not judge. */
function judged(value: unknown): number | null {
  return finitePart(rewardValue(value))
}
