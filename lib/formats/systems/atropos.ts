/**
 * Groups that Atropos saves, one a line: scores beside tokens, masks and, where asked for, messages. Owns: that a line is a group
 * of rollouts of one prompt, which has no id and no step; the visits of a prompt, in the order of the files, stand for the steps.
 */
import { type Message, messagesOf } from '@/lib/formats/chat'
import { inChatForm } from '@/lib/formats/chat-form'
import { stemOf } from '@/lib/formats/file-place'
import { promptKey, promptText } from '@/lib/formats/prompt-key'
import { rewardValue } from '@/lib/formats/reward-value'
import { RolloutTaker } from '@/lib/formats/rollout-taker'
import { type Field, type System, type Take, unused } from '@/lib/formats/system'
import { textCalls } from '@/lib/formats/text-calls'
import { tokenPromptKey } from '@/lib/formats/token-prompt'
import { asKey, asList, asText, type Row } from '@/lib/formats/untyped'

const FIELDS: readonly Field[] = [
  ['environment', '(the name of the file)'],
  ['task', '(the prompt, by its hash)'],
  ['policy version', '(how often the prompt came before)'],
  ['rewards', 'scores'],
  ['messages', 'messages'],
  ['tokens', 'tokens'],
]

export const atropos: System = {
  key: 'atropos',
  forms: [
    {
      kind: 'atropos-groups',
      name: 'Atropos groups',
      stage: 'rollouts',
      // a group has no list of responses: that is a table of another trainer
      recognise: (row) =>
        asList(row.scores) !== null &&
        (asList(row.tokens) !== null || asList(row.messages) !== null) &&
        asList(row.responses) === null,
      fields: (row) => [...FIELDS, ...unused(row, FIELDS)],
    },
  ],
  begin({ draft, ladder, skip }) {
    const taker = new RolloutTaker(draft, ladder)
    const visits = new Map<string, number>()
    return {
      open: (_kind, { name }) => takeOf(taker, visits, name, (reason, line) => skip(name, reason, line)),
      finish: () => taker.finish(),
    }
  },
}

type Skip = (reason: string, line: number) => void

function takeOf(taker: RolloutTaker, visits: Map<string, number>, file: string, skip: Skip): Take {
  // a file that is there already is written beside, with a number at its end
  const place = stemOf(file).replace(/_\d+$/, '')
  return (row, line) => {
    const scores = asList(row.scores) ?? []
    if (scores.length === 0) return 'a group without scores'
    const environment = asKey(row.env_id) === null ? place : `${place} ${asKey(row.env_id)}`
    const conversations = scores.map((_, at) => conversationOf(asList(row.messages)?.[at]))
    const prompt = promptOf(row, conversations)
    const task = promptKey(prompt) ?? tokenPromptKey(asList(row.tokens)?.[0], asList(row.masks)?.[0])
    if (task === null) return 'a group without a prompt'
    const visit = visits.get(`${environment}\0${task}`) ?? 0
    visits.set(`${environment}\0${task}`, visit + 1)
    for (const [at, score] of scores.entries()) {
      const messages = conversations[at] ?? []
      const reason = taker.take({
        environment,
        task,
        about: { text: promptText(prompt) ?? undefined },
        model: 'policy',
        version: visit,
        reward: rewardValue(score),
        messages,
        ...(messages.some(({ tool_calls: calls }) => calls !== undefined) ? {} : { calls: textCallsOf(messages) }),
        tokens: asList(asList(row.tokens)?.[at])?.length ?? null,
      })
      if (reason !== null) skip(reason, line)
    }
    return null
  }
}

/** Messages, or one text of the whole, which then is the model's. */
function conversationOf(value: unknown): Message[] {
  return messagesOf(value, 'assistant').map(inChatForm)
}

function textCallsOf(messages: readonly Message[]) {
  return messages.flatMap(({ role, content }) => (role === 'assistant' ? textCalls(asText(content) ?? '') : []))
}

/** What came before the model's first word; null where only tokens are there. */
function promptOf(row: Row, conversations: readonly Message[][]): unknown {
  const given = asList(row.prompt)?.[0] ?? row.prompt
  if (promptText(given) !== null) return given
  const messages = conversations.find((one) => one.length > 0) ?? []
  const end = messages.findIndex(({ role }) => role === 'assistant')
  return end > 0 ? messages.slice(0, end) : null
}
