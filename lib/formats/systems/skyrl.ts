/**
 * Evaluation dumps of SkyRL: a file a data source, in a folder that names the step. Owns: that a score may be a list, one value a
 * token, whose sum counts; that `aggregated_results.jsonl` holds sums.
 */

import type { RolloutStatus } from '@/lib/contract/rollout'
import { messagesOf } from '@/lib/formats/chat'
import { inChatForm } from '@/lib/formats/chat-form'
import { stemOf } from '@/lib/formats/file-place'
import { numberInPath } from '@/lib/formats/named-folder'
import { promptKey, promptText } from '@/lib/formats/prompt-key'
import { partsOf, rewardValue } from '@/lib/formats/reward-value'
import { RolloutTaker } from '@/lib/formats/rollout-taker'
import { type Field, type Form, type System, type Take, unused } from '@/lib/formats/system'
import { textCalls } from '@/lib/formats/text-calls'
import { asRow, asText } from '@/lib/formats/untyped'

const STEP = /global_step_(\d{1,12})/

const FIELDS: readonly Field[] = [
  ['environment', 'env_class'],
  ['task', '(the prompt, by its hash)'],
  ['policy version', '(the folder global_step_…)'],
  ['reward', 'score'],
  ['status', 'stop_reason'],
  ['task text', 'input_prompt'],
  ['messages', 'output_response'],
  ['task payload', 'env_extras'],
]

const forms: readonly Form[] = [
  {
    kind: 'skyrl-eval',
    name: 'SkyRL evaluation dump',
    stage: 'rollouts',
    recognise: (row) => 'input_prompt' in row && 'output_response' in row && 'score' in row,
    fields: (row) => {
      const fields = FIELDS.filter(([, from]) => from !== 'data_source')
      return [...fields, ...unused(row, fields)]
    },
  },
  {
    kind: 'skyrl-sums',
    name: 'SkyRL sums of an evaluation',
    stage: 'documents',
    recognise: (row) => {
      const entries = Object.entries(row)
      return entries.length > 0 && entries.every(([key, value]) => key.startsWith('eval/') && typeof value !== 'object')
    },
    fields: () => [],
    fileOnly: 'it holds the sums of an evaluation, no rollouts',
  },
]

export const skyrl: System = {
  key: 'skyrl',
  forms,
  begin({ draft, ladder }) {
    const taker = new RolloutTaker(draft, ladder)
    return { open: (_kind, { name }) => takeOf(taker, name), finish: () => taker.finish() }
  },
}

function takeOf(taker: RolloutTaker, file: string): Take {
  const version = numberInPath(file, STEP)
  return (row) => {
    const task = promptKey(row.input_prompt)
    if (task === null) return 'a row without an input_prompt'
    const text = asText(row.output_response)
    const payload = asRow(row.env_extras)
    const stop = asText(row.stop_reason)
    return taker.take({
      environment: asText(row.env_class) ?? asText(row.data_source) ?? stemOf(file),
      task,
      about: { text: promptText(row.input_prompt) ?? undefined, ...(payload === null ? {} : { payload }) },
      model: 'policy',
      version,
      reward: rewardValue(row.score),
      components: partsOf(row.score),
      status: statusOf(stop),
      error: statusOf(stop) === 'ok' ? null : stop,
      messages: [
        ...messagesOf(row.input_prompt).map(inChatForm),
        ...messagesOf(row.output_response, 'assistant').map(inChatForm),
      ],
      ...(text === null ? {} : { calls: textCalls(text) }),
    })
  }
}

function statusOf(stop: string | null): RolloutStatus {
  if (stop === 'length' || stop === 'max_turns') return 'truncated'
  if (stop === 'abort' || stop === 'aborted' || stop === 'cancelled') return 'cancelled'
  return stop !== null && /error|timeout|fail/i.test(stop) ? 'infra_error' : 'ok'
}
