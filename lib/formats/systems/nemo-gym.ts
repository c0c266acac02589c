/**
 * Files of NeMo-Gym: verify responses (request, answer of the Responses API, reward), failures beside them, inputs and sums.
 * Owns: that rows of a rollout file without an answer were not rewarded while those of other files are tasks; that a failure's
 * placeholder of 0 is no reward; what the environment is where old rows do not name their agent.
 */
import { inChatForm } from '@/lib/formats/chat-form'
import { stemOf } from '@/lib/formats/file-place'
import { namedFolder } from '@/lib/formats/named-folder'
import { answerOf, standingOf } from '@/lib/formats/nemo-gym-row'
import { promptKey, promptText } from '@/lib/formats/prompt-key'
import { responsesMessages } from '@/lib/formats/responses-items'
import { partsOf, rewardValue } from '@/lib/formats/reward-value'
import { RolloutTaker } from '@/lib/formats/rollout-taker'
import { versionOf } from '@/lib/formats/row-version'
import { type Field, type FileFacts, type Form, type System, type Take, unused } from '@/lib/formats/system'
import { TaskNames } from '@/lib/formats/task-names'
import type { TaskSetDraft } from '@/lib/formats/task-set-draft'
import { toolOf } from '@/lib/formats/text-tools'
import { asKey, asRow, asRows, asText, type Row } from '@/lib/formats/untyped'

const GENERIC = /^(?:data|outputs?|results?|rollouts?|logs?|examples?|train|validation|test)$/i
const WITHOUT_NAME = 'nemo-gym'

function isRequest(row: Row): boolean {
  return asRow(row.responses_create_params) !== null
}

function fieldsOf(row: Row): Field[] {
  const fields: Field[] = [
    ['environment', asRow(row.agent_ref) === null ? '(the file and its folder)' : 'agent_ref.name'],
    ['task', '_ng_task_index' in row ? '_ng_task_index' : '(the prompt, by its hash)'],
    ['trial', '_ng_rollout_index'],
    ['model', 'response.model'],
    ['reward', 'reward'],
    ['reward parts', 'reward_components'],
    ['status', '_ng_failure_class'],
    ['task text', 'responses_create_params.input'],
    ['task tools', 'responses_create_params.tools'],
    ['messages', 'response.output'],
    ['tokens', 'response.usage.total_tokens'],
  ]
  return [...fields, ...unused(row, fields)]
}

const forms: readonly Form[] = [
  {
    kind: 'nemo-gym-sums',
    name: 'NeMo-Gym reward profile',
    stage: 'documents',
    recognise: (row) => Object.keys(row).some((key) => /^(?:mean|max|min|std|median)\/reward$/.test(key)),
    fields: () => [],
    fileOnly: 'it holds sums of rewards, no rollouts',
  },
  {
    kind: 'nemo-gym-inputs',
    name: 'NeMo-Gym inputs',
    stage: 'documents',
    // such a row looks like a rollout that got no answer
    recognise: (row, { name }) => isRequest(row) && !isAnswered(row) && /_materialized_inputs$/i.test(stemOf(name)),
    fields: () => [],
    fileOnly: 'it holds the inputs of a collection, which its rollouts repeat',
  },
  {
    kind: 'nemo-gym',
    name: 'NeMo-Gym rollouts',
    stage: 'rollouts',
    recognise: (row, { name }) =>
      (isRequest(row) && (isAnswered(row) || /rollouts/i.test(stemOf(name)))) || '_ng_failure_class' in row,
    fields: fieldsOf,
  },
  {
    kind: 'nemo-gym-tasks',
    name: 'NeMo-Gym task set',
    stage: 'tasks',
    recognise: isRequest,
    fields: (row) => fieldsOf(row).filter(([here]) => here === 'environment' || here.startsWith('task')),
  },
]

function isAnswered(row: Row): boolean {
  return 'reward' in row || asRow(row.response) !== null || '_ng_failure_class' in row
}

export const nemoGym: System = {
  key: 'nemo-gym',
  forms,
  begin({ draft, ladder }) {
    const taker = new RolloutTaker(draft, ladder)
    const targets = { taker, draft, names: new TaskNames(), models: new Map<string, string>() }
    return {
      open: (kind, file) => (kind === 'nemo-gym-tasks' ? taskOf(draft, file) : rolloutOf(targets, file)),
      finish: () => taker.finish(),
    }
  },
}

interface Targets {
  taker: RolloutTaker
  draft: TaskSetDraft
  names: TaskNames
  /** by source: the last model that a row of it named, which rows without an answer are of, too */
  models: Map<string, string>
}

function rolloutOf({ taker, draft, names, models }: Targets, file: FileFacts): Take {
  const source = sourceOf(file.name)
  return (row) => {
    const { environment, input, about } = taskIn(draft, row, file)
    const index = asKey(row._ng_task_index)
    const promptOf = () => promptKey(input)
    const task = index === null ? promptOf() : names.name(source, environment, index, promptOf)
    if (task === null) return 'a row with neither a task index nor a prompt'
    const answer = answerOf(row)
    if (answer.model !== null) models.set(source, answer.model)
    return taker.take({
      environment,
      task,
      about,
      verifier: { checks: Object.keys(asRow(row.reward_components) ?? {}) },
      model: models.get(source) ?? 'policy',
      version: versionOf(row),
      reward: rewardValue(row.reward),
      components: partsOf(row.reward_components),
      ...standingOf(row),
      messages: [...input, ...answer.messages],
      calls: answer.calls,
      turns: answer.turns,
      tokens: answer.tokens,
    })
  }
}

function taskOf(draft: TaskSetDraft, file: FileFacts): Take {
  return (row) => {
    const { environment, input, about } = taskIn(draft, row, file)
    const prompt = promptKey(input)
    if (prompt === null) return 'a task without a prompt'
    if (draft.has(environment, prompt)) return 'a task that is there twice'
    return draft.task({ environment, key: prompt, ...about })
      ? null
      : 'an environment or task key longer than 500 characters'
  }
}

function taskIn(draft: TaskSetDraft, row: Row, file: FileFacts) {
  const request = asRow(row.responses_create_params) ?? {}
  const environment = asText(asRow(row.agent_ref)?.name) ?? placeOf(file.name)
  const instructions = asText(request.instructions)
  const items = responsesMessages(request.input).map(inChatForm)
  const input = instructions === null ? items : [{ role: 'system', content: instructions }, ...items]
  const declared = asRows(request.tools).flatMap((tool) => toolOf(tool) ?? [])
  for (const tool of declared) draft.tool(environment, tool.name, tool.description, tool.parameters)
  const about = {
    text: promptText(input) ?? undefined,
    ...(declared.length === 0 ? {} : { tools: declared.map(({ name }) => name) }),
  }
  return { environment, input, about }
}

/** "workplace.rollouts.jsonl" is workplace; "workplace/data/example_rollouts.jsonl", too. */
function placeOf(name: string): string {
  const stem = stemOf(name).replace(/[._-]?(?:rollouts|failures|materialized_inputs)/gi, '')
  return stem === '' || GENERIC.test(stem) ? (namedFolder(name, GENERIC) ?? WITHOUT_NAME) : stem
}

/** Failures lie beside the rollouts of the same collection. */
function sourceOf(name: string): string {
  return name.replace(/_failures(?=\.jsonl)/i, '')
}
