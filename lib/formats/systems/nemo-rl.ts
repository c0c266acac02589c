/**
 * Training data that NeMo-RL logs, `train_data_step{n}.jsonl`: a row a rollout, most values as lists of one element. Owns: that
 * `content` holds the texts of the messages without their roles, so that where the prompt ends is told by the chat template's marks,
 * else by their number (the environment answers every turn); that the step stands in the file's name.
 */
import type { Message } from '@/lib/formats/chat'
import { namedFolder, numberInPath } from '@/lib/formats/named-folder'
import { promptKey, promptText } from '@/lib/formats/prompt-key'
import { rewardValue } from '@/lib/formats/reward-value'
import { RolloutTaker } from '@/lib/formats/rollout-taker'
import { type Field, type System, type Take, unused } from '@/lib/formats/system'
import { textCalls } from '@/lib/formats/text-calls'
import { asCount, asList, asRow, asText, asTexts, type Row } from '@/lib/formats/untyped'

const STEP = /(?:train|val)\w*_data_step_?(\d{1,12})/i
const GENERIC = /^(?:logs?|exp_\d+|data|outputs?|results?)$/i
const WITHOUT_NAME = 'nemo-rl'
const SYSTEM =
  /^\s*(?:<\|begin_of_text\|>)?\s*(?:<\|im_start\|>\s*system|<\|start_header_id\|>\s*system|<\|system\|>|<SPECIAL_10>\s*System)/
const USER = /<\|im_start\|>\s*user|<\|start_header_id\|>\s*user|<\|user\|>|<SPECIAL_11>\s*User/

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
      recognise: (row) => 'content' in row && 'rewards' in row && ('idx' in row || 'input_lengths' in row),
      fields: (row) => [...FIELDS, ...unused(row, FIELDS)],
    },
  ],
  begin({ draft, ladder }) {
    const taker = new RolloutTaker(draft, ladder)
    return { open: (_kind, { name }) => takeOf(taker, name), finish: () => taker.finish() }
  },
}

function takeOf(taker: RolloutTaker, file: string): Take {
  const version = numberInPath(file, STEP)
  const folder = namedFolder(file, GENERIC) ?? WITHOUT_NAME
  return (row) => {
    const { prompt, messages } = conversationOf(alone(row.content))
    const task = promptKey(prompt)
    if (task === null) return 'a row without content'
    const agent = alone(row.agent_ref)
    return taker.take({
      environment: asText(asRow(agent)?.name) ?? asText(agent) ?? folder,
      task,
      about: { text: promptText(prompt) ?? undefined },
      model: /(?:^|\/)val/i.test(file) ? 'policy, validated' : 'policy',
      version,
      reward: rewardValue(row.rewards),
      messages,
      calls: messages.flatMap(({ role, content }) => (role === 'assistant' ? textCalls(asText(content) ?? '') : [])),
      tokens: asCount(alone(row.input_lengths)),
    })
  }
}

/** The value in a list of one element; a list of several stays. A list of texts is a conversation and stays, too. */
function alone(value: unknown): unknown {
  const list = asList(value)
  if (list === null || list.length !== 1) return value
  return typeof list[0] === 'string' && list[0] === '' ? value : list[0]
}

function conversationOf(content: unknown): { prompt: Message[]; messages: Message[] } {
  const texts = typeof content === 'string' ? split(content) : textsOf(content)
  const prompts = promptLength(texts)
  const messages = texts.map((text, at): Message => {
    if (at < prompts) return { role: at === prompts - 1 ? 'user' : 'system', content: text }
    return { role: (at - prompts) % 2 === 0 ? 'assistant' : 'user', content: text }
  })
  return { prompt: messages.slice(0, prompts), messages }
}

/** Texts, or messages that hold them. */
function textsOf(content: unknown): string[] {
  const texts = asTexts(content)
  return texts.length > 0
    ? texts
    : (asList(content) ?? []).flatMap((item) => asText((asRow(item) ?? ({} as Row)).content) ?? [])
}

function promptLength(texts: readonly string[]): number {
  const first = texts[0] ?? ''
  if (SYSTEM.test(first)) return USER.test(first) ? 1 : 2
  const marked = USER.test(first)
  return !marked && texts.length >= 4 && texts.length % 2 === 0 ? 2 : 1
}

/** One text of the whole: cut where the model's first message begins. */
function split(text: string): string[] {
  const at = text.search(/<\|im_start\|>\s*assistant|<\|start_header_id\|>\s*assistant|<\|assistant\|>/)
  return at <= 0 ? [text] : [text.slice(0, at), text.slice(at)]
}
