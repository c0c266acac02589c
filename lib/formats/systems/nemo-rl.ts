/**
 * Training data that NeMo-RL logs, `train_data_step{n}.jsonl`: a row a rollout, most values in lists of one element, or a row a prompt
 * with lists as long as its group. Owns: that texts have no roles (flat-chat.ts) and may be missing, when the tokens before the first
 * trained one are the prompt; that the step stands in the file's name.
 */
import { flatChat } from '@/lib/formats/flat-chat'
import { namedFolder, numberInPath } from '@/lib/formats/named-folder'
import { promptKey, promptText } from '@/lib/formats/prompt-key'
import { rewardValue } from '@/lib/formats/reward-value'
import { RolloutTaker } from '@/lib/formats/rollout-taker'
import { type Field, type System, type Take, unused } from '@/lib/formats/system'
import { textCalls } from '@/lib/formats/text-calls'
import { tokenPromptKey } from '@/lib/formats/token-prompt'
import { asCount, asList, asRow, asText, type Row } from '@/lib/formats/untyped'

const STEP = /(?:train|val)\w*_data_step_?(\d{1,12})/i
const GENERIC = /^(?:logs?|exp_\d+|data|outputs?|results?)$/i
const WITHOUT_NAME = 'nemo-rl'
const FIELDS: readonly Field[] = [
  ['environment', 'agent_ref'],
  ['task', '(the prompt, by its hash)'],
  ['policy version', '(the name of the file)'],
  ['reward', 'rewards'],
  ['messages', 'content'],
  ['tokens', 'input_lengths'],
]

export const nemoRl: System = {
  key: 'nemo-rl',
  forms: [
    {
      kind: 'nemo-rl',
      name: 'NeMo-RL training data',
      stage: 'rollouts',
      recognise: (row) =>
        'rewards' in row && ('content' in row || 'token_ids' in row) && ('idx' in row || 'input_lengths' in row),
      fields: (row) => [...FIELDS, ...unused(row, FIELDS)],
    },
  ],
  begin({ draft, ladder, skip }) {
    const taker = new RolloutTaker(draft, ladder)
    return {
      open: (_kind, { name }) => takeOf(taker, name, (reason, line) => skip(name, reason, line)),
      finish: () => taker.finish(),
    }
  },
}

function takeOf(taker: RolloutTaker, file: string, skip: (reason: string, line: number) => void): Take {
  const version = numberInPath(file, STEP)
  const folder = namedFolder(file, GENERIC) ?? WITHOUT_NAME
  const model = /(?:^|[\\/])val/i.test(file) ? 'policy, validated' : 'policy'
  return (row, line) => {
    const size = asList(row.rewards)?.length ?? 1
    const samples = Array.from({ length: Math.max(1, size) }, (_, at) => sampleOf(row, size, at))
    const known = samples.find(({ task }) => task !== null)
    if (known === undefined) return 'a row with neither content nor tokens'
    for (const { task, prompt, agent, ...sample } of samples) {
      const reason = taker.take({
        environment: agent ?? folder,
        // the samples of one row are a group
        task: (size > 1 ? known.task : task) ?? '',
        about: { text: promptText(prompt ?? known.prompt) ?? undefined },
        model,
        version,
        ...sample,
      })
      if (reason !== null) skip(reason, line)
    }
    return null
  }
}

function sampleOf(row: Row, size: number, at: number) {
  const member = (name: string) => memberOf(row[name], size, at)
  const agent = member('agent_ref')
  const { prompt, messages } = flatChat(member('content'))
  const tokens = () => tokenPromptKey(member('token_ids'), member('token_loss_mask'))
  return {
    task: promptKey(prompt) ?? tokens() ?? promptKey(messages),
    prompt,
    agent: asText(asRow(agent)?.name) ?? asText(agent),
    reward: rewardValue(member('rewards')),
    messages,
    calls: messages.flatMap(({ role, content }) => (role === 'assistant' ? textCalls(asText(content) ?? '') : [])),
    turns: messages.length === 0 ? null : messages.filter(({ role }) => role === 'assistant').length,
    tokens: asCount(member('input_lengths')),
  }
}

/** The batch's one value a row, which may lie in a list of its own or not; of a group the one at its place. */
function memberOf(value: unknown, size: number, at: number): unknown {
  const list = asList(value)
  if (list === null) return value
  if (size > 1) return list.length === size ? list[at] : null
  return list.length === 1 ? list[0] : value
}
