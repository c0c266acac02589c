/**
 * Rows of a form that nobody knows, read by a mapping that a person gave: for each word of ours a column or a constant.
 * Owns: what a mapped row becomes, and the likeliest mapping of given columns.
 * Invariant: a row without a task column belongs to the task of its prompt; a missing reward is never 0.
 */
import {
  type ColumnMapping,
  type ImportTable,
  MAPPED,
  type Mapped,
  type MappedRow,
} from '@/lib/contract/column-mapping'
import { type RolloutStatus, STATUSES } from '@/lib/contract/rollout'
import { calledTools, messagesOf } from './chat'
import { errorStatus } from './error-status'
import { stemOf } from './file-place'
import { at, written } from './mapping'
import { promptKey, promptText } from './prompt-key'
import { partsOf, rewardValue } from './reward-value'
import { positive } from './rollout-rows'
import { type Field, type Intake, type System, unused } from './system'
import { asCount, asKey, asList, asRow, asText, asTexts, type Row } from './untyped'

const WORDS: Record<Mapped, string> = {
  environment: 'environment',
  task: 'task',
  text: 'task text',
  reward: 'reward',
  policyVersion: 'policy version',
  model: 'model',
  status: 'status',
  error: 'error',
  turns: 'turns',
  tokens: 'tokens',
  seconds: 'seconds',
  tools: 'tools called',
  messages: 'messages',
  group: 'group',
}

export function mappedSystem(mapping: ColumnMapping): System {
  const columns = Object.values(mapping).filter((from) => !from.startsWith('='))
  return {
    key: 'mapped',
    forms: [
      {
        kind: 'mapped-rows',
        name: 'rows with a column mapping',
        stage: 'rollouts',
        recognise: (row) => columns.some((from) => at(row, from) !== undefined),
        fields: (row) => fieldsOf(mapping, row),
      },
    ],
    begin: (intake) => ({ open: () => (row) => takeMapped(intake, mapping, row) }),
  }
}

function fieldsOf(mapping: ColumnMapping, row: Row): Field[] {
  const fields = MAPPED.flatMap((word): Field[] => {
    const from = mapping[word]
    if (from === undefined) return []
    return [[WORDS[word], from.startsWith('=') ? `(always ${from.slice(1)})` : from]]
  })
  return [...fields, ...unused(row, fields)]
}

/** The value of a word in a row; undefined where nothing is mapped to it or the row does not hold it. */
function mappedValue(mapping: ColumnMapping, row: Row, word: Mapped): unknown {
  const from = mapping[word]
  if (from === undefined) return undefined
  return from.startsWith('=') ? from.slice(1) : at(row, from)
}

const NO_ENVIRONMENT = 'a row without an environment'
const NO_TASK = 'a row without a task or a prompt to tell it by'

interface Placed {
  environment: string | null
  task: string | null
  text: string | null
  reward: number | string | null
  status: RolloutStatus
  error: string | null
  version: number | null
  model: string
}

function placed(mapping: ColumnMapping, row: Row): Placed {
  const of = (word: Mapped) => mappedValue(mapping, row, word)
  const text = promptText(of('text'))
  const error = asText(of('error'))
  const named = asText(of('status'))
  const told = STATUSES.find((status) => status === named?.toLowerCase())
  const status = told ?? (error === null ? errorStatus(named) : errorStatus(error))
  const failedOutside = status === 'infra_error' || status === 'verifier_error'
  return {
    environment: asKey(of('environment')),
    task: asKey(of('task')) ?? promptKey(of('text') ?? promptOf(of('messages'))) ?? asKey(of('group')),
    text,
    // what is written beside a failure of the infrastructure is a placeholder
    reward: failedOutside ? null : numeric(rewardValue(of('reward'))),
    status,
    error: error ?? (told === undefined && status !== 'ok' ? named : null),
    version: wholeOf(of('policyVersion')),
    model: asKey(of('model')) ?? 'model',
  }
}

/** Messages up to the first answer: what the task put to the policy. */
function promptOf(value: unknown): unknown {
  const list = asList(value)
  if (list === null) return value
  const answer = list.findIndex((item) => asRow(item)?.role === 'assistant')
  return answer < 0 ? list : list.slice(0, answer)
}

/** Tables write numbers as texts. */
function numeric(value: number | string | null): number | string | null {
  if (typeof value !== 'string' || value.trim() === '') return value
  const number = Number(value)
  return Number.isFinite(number) ? number : value
}

function wholeOf(value: unknown): number | null {
  return asCount(typeof value === 'string' && /^\d{1,9}$/.test(value.trim()) ? Number(value) : value)
}

function takeMapped({ draft, ladder }: Intake, mapping: ColumnMapping, row: Row): string | null {
  const { environment, task, text, reward, status, error, version, model } = placed(mapping, row)
  const of = (word: Mapped) => mappedValue(mapping, row, word)
  if (environment === null) return NO_ENVIRONMENT
  if (task === null) return NO_TASK
  if (!draft.has(environment, task) && !draft.task({ environment, key: task, text: text ?? undefined }))
    return 'an environment or task key longer than 500 characters'
  const messages = messagesOf(of('messages'))
  const calls = calledTools(messages)
  const listed = of('tools')
  const tools = typeof listed === 'string' ? listed.split(/[,;]\s*/).filter((tool) => tool !== '') : asTexts(listed)
  for (const { name, parameters } of calls) draft.tool(environment, name, null, parameters)
  for (const tool of tools) draft.tool(environment, tool, null, [])
  // a mapping without a reward brings in tasks alone
  if (mapping.reward === undefined) return null
  const turns = messages.filter(({ role }) => role === 'assistant').length
  ladder.add(
    model,
    {
      environment,
      task,
      reward,
      status,
      turns: wholeOf(of('turns')) ?? (turns === 0 ? null : turns),
      tokens: wholeOf(of('tokens')),
      seconds: positive(of('seconds')),
      tools: tools.length > 0 ? tools : calls.map(({ name }) => name),
      rewardComponents: partsOf(of('reward')),
      ...(messages.length === 0 ? {} : { messages }),
      error,
    },
    version,
  )
  return null
}

/** First rows as a mapping would read them. */
export function previewMapping(mapping: ColumnMapping, rows: readonly Row[]): MappedRow[] {
  return rows.map((row) => {
    const { environment, task, reward, status, version, model } = placed(mapping, row)
    const problem = environment === null ? NO_ENVIRONMENT : task === null ? NO_TASK : null
    const policyVersion = version === null ? (mapping.model === undefined ? null : model) : String(version)
    return { environment, task, reward, status, policyVersion, problem }
  })
}

const LIKELY: Record<Mapped, readonly string[]> = {
  environment: [
    'environment',
    'env',
    'env_id',
    'env_name',
    'env_class',
    'data_source',
    'datasource',
    'domain',
    'suite',
    'benchmark',
    'dataset',
    'source',
    'category',
  ],
  task: [
    'task',
    'task_id',
    'taskid',
    'task_name',
    'example_id',
    'problem_id',
    'question_id',
    'instance_id',
    'sample_id',
    'item_id',
    'id',
    'index',
    'idx',
  ],
  text: ['prompt', 'question', 'instruction', 'input', 'problem', 'query', 'text'],
  reward: [
    'reward',
    'rewards',
    'score',
    'scores',
    'final_reward',
    'total_reward',
    'return',
    'is_correct',
    'correct',
    'success',
    'passed',
    'resolved',
    'accuracy',
    'acc',
    'label',
  ],
  policyVersion: [
    'policy_version',
    'policyversion',
    'weights_version',
    'global_step',
    'training_step',
    'step',
    'iteration',
    'checkpoint',
  ],
  model: ['model', 'model_name', 'policy', 'agent', 'llm'],
  status: ['status', 'state', 'stop_reason', 'finish_reason', 'termination_reason', 'stop_condition'],
  error: ['error', 'error_message', 'exception'],
  turns: ['turns', 'num_turns', 'n_turns', 'num_steps', 'turn_count'],
  tokens: ['tokens', 'num_tokens', 'completion_tokens', 'total_tokens', 'response_length', 'output_tokens'],
  seconds: ['seconds', 'duration', 'latency', 'elapsed', 'time', 'total_time'],
  tools: ['tools', 'tool_calls', 'tools_called', 'tools_used'],
  messages: ['messages', 'conversation', 'trajectory', 'traj', 'chat', 'history', 'dialog'],
  group: ['group', 'group_id', 'uid', 'traj_group_id'],
}

const MOST_COLUMNS = 200
const EXAMPLES = 3

/** The columns of first rows with examples and the likeliest mapping. `file`: its name stands for a missing environment. */
export function tableOf(file: string, rows: readonly Row[]): ImportTable {
  const values = new Map<string, Set<string>>()
  const note = (name: string, value: unknown): void => {
    const seen = values.get(name) ?? new Set<string>()
    if (values.size < MOST_COLUMNS) values.set(name, seen)
    const text = written(value)
    if (text !== null && seen.size < EXAMPLES) seen.add(text)
  }
  for (const row of rows)
    for (const [name, value] of Object.entries(row)) {
      note(name, value)
      // one storey down: what files keep in "info" and "metadata"
      for (const [inner, one] of Object.entries(asRow(value) ?? {}).slice(0, 30)) note(`${name}.${inner}`, one)
    }
  const names = [...values.keys()].filter((name) => name.length <= 500 && !name.startsWith('='))
  return {
    file,
    columns: names.map((name) => ({ name, examples: [...(values.get(name) ?? [])] })),
    guess: guessOf(file, names),
  }
}

function guessOf(file: string, names: readonly string[]): ColumnMapping {
  const taken = new Set<string>()
  const guess: ColumnMapping = {}
  for (const word of MAPPED) {
    const found = LIKELY[word].flatMap((likely) =>
      names.filter((name) => isCalled(name, likely) && !taken.has(name)),
    )[0]
    if (found === undefined) continue
    taken.add(found)
    guess[word] = found
  }
  // a status that is no failure would only be noise; an environment is needed
  guess.environment ??= `=${stemOf(file).slice(0, 100) || 'environment'}`
  return guess
}

/** "info.Score" is called "score". */
function isCalled(name: string, likely: string): boolean {
  const last = name.split('.').at(-1) ?? name
  return name.toLowerCase() === likely || last.toLowerCase() === likely
}
