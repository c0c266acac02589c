/**
 * Evaluations of reasoning-gym: an object a dataset with its questions, each with its completions. Owns: that a question has no id;
 * that the model stands in the name of a folder, `<model>_<date>_<time>`; that a completion with an error got a placeholder of 0.
 */
import type { Message } from '@/lib/formats/chat'
import { stemOf } from '@/lib/formats/file-place'
import { promptKey } from '@/lib/formats/prompt-key'
import { rewardValue } from '@/lib/formats/reward-value'
import { RolloutTaker } from '@/lib/formats/rollout-taker'
import { type Field, type FileFacts, type System, type Take, unused } from '@/lib/formats/system'
import { asRows, asText, type Row } from '@/lib/formats/untyped'

const MODEL = /^(.+)_\d{8}_\d{6}$/
const WITHOUT_NAME = 'reasoning-gym'

const FIELDS: readonly Field[] = [
  ['environment', '(category and name beside the results)'],
  ['model', '(the folder)'],
  ['task', '(the question and its answer, by their hash)'],
  ['task text', 'question'],
  ['task payload', 'expected_answer'],
  ['rewards', 'completions.0.score'],
  ['messages', 'completions.0.full_model_response'],
]

export const reasoningGym: System = {
  key: 'reasoning-gym',
  forms: [
    {
      kind: 'reasoning-gym',
      name: 'reasoning-gym evaluation',
      stage: 'rollouts',
      recognise: (row) => typeof row.question === 'string' && asRows(row.completions).some((one) => 'score' in one),
      fields: (row) => [...FIELDS, ...unused(row, FIELDS)],
    },
  ],
  begin({ draft, ladder, skip }) {
    const taker = new RolloutTaker(draft, ladder)
    return {
      open: (_kind, file) => takeOf(taker, file, (reason, line) => skip(file.name, reason, line)),
      finish: () => taker.finish(),
    }
  },
}

function takeOf(taker: RolloutTaker, file: FileFacts, skip: (reason: string, line: number) => void): Take {
  const { outer, name } = file
  const parts = [outer?.category, outer?.name].flatMap((part) => asText(part) ?? [])
  const environment = parts.length === 0 ? WITHOUT_NAME : parts.join('/')
  const system = asText(outer?.system_prompt)
  const asked = system === null ? [] : [{ role: 'system', content: system }]
  const model = asText(outer?.model) ?? modelOf(name)
  return (row, line) => {
    const question = asText(row.question)
    if (question === null) return 'a result without a question'
    const completions = asRows(row.completions)
    if (completions.length === 0) return 'a question without completions'
    const answer = asText(row.expected_answer)
    const about = { text: question, payload: { expected_answer: answer } }
    const task = promptKey([question, answer ?? '']) ?? question
    const prompt = [...asked, { role: 'user', content: question }]
    for (const completion of completions) {
      const reason = taker.take({ environment, task, about, model, version: null, ...completed(prompt, completion) })
      if (reason !== null) skip(reason, line)
    }
    return null
  }
}

function completed(prompt: Message[], completion: Row) {
  const error = asText(completion.error)
  const text = asText(completion.full_model_response) ?? asText(completion.model_answer)
  return {
    verifier: { kind: 'program' },
    reward: rewardValue(completion.score),
    status: error === null ? ('ok' as const) : ('infra_error' as const),
    error,
    messages: text === null ? prompt : [...prompt, { role: 'assistant', content: text }],
  }
}

function modelOf(name: string): string {
  const parts = [...name.split(/[\\/]/).slice(0, -1), stemOf(name)].flatMap((part) => part.split('__'))
  const dated = parts.flatMap((part) => MODEL.exec(part)?.[1] ?? [])
  return dated.at(-1) ?? 'model'
}
