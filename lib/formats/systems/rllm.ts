/**
 * Files of rLLM: an episode a file, and evaluations with a list of items. Owns: which reward an episode with several agents has
 * (whether it was right), that a missing one falls back to that, and that a failed rollout's "wrong" is no judgement.
 */
import type { RolloutStatus } from '@/lib/contract/rollout'
import { type Message, messagesOf } from '@/lib/formats/chat'
import { inChatForm } from '@/lib/formats/chat-form'
import { stemOf } from '@/lib/formats/file-place'
import { namedFolder, numberInPath } from '@/lib/formats/named-folder'
import { promptKey, promptText } from '@/lib/formats/prompt-key'
import { finitePart, type Part, partsOf, type RewardLike, rewardValue } from '@/lib/formats/reward-value'
import { RolloutTaker } from '@/lib/formats/rollout-taker'
import { type Field, type FileFacts, type Form, type System, type Take, unused } from '@/lib/formats/system'
import { asCount, asKey, asList, asNumber, asRow, asRows, asText, type Row } from '@/lib/formats/untyped'

const STEP = /(?:train|val)_step_(\d{1,12})/
const GENERIC = /^(?:episodes|logs?|(?:train|val)_step_\d+.*)$/i
const WITHOUT_NAME = 'rllm'
const QUESTION = ['question', 'prompt', 'instruction', 'problem', 'query'] as const
const SOURCE = ['data_source', 'env_name', 'environment', 'dataset_name', 'category'] as const

const EPISODE: readonly Field[] = [
  ['environment', 'task.data_source'],
  ['task', 'task_hash'],
  ['policy version', 'training_step'],
  ['reward', 'trajectories.0.reward'],
  ['reward of several agents', 'is_correct'],
  ['status', 'termination_reason'],
  ['messages', 'trajectories.0.steps'],
  ['task payload', 'task'],
]

const ITEM: readonly Field[] = [
  ['environment', '(dataset_name beside the items)'],
  ['model', '(model beside the items)'],
  ['task', 'idx'],
  ['trial', 'attempt'],
  ['reward', 'reward'],
  ['reward where it is missing', 'is_correct'],
  ['reward parts', 'signals'],
  ['status', 'error'],
]

const forms: readonly Form[] = [
  {
    kind: 'rllm-episodes',
    name: 'rLLM episodes',
    stage: 'rollouts',
    recognise: (row) =>
      asList(row.trajectories) !== null && 'task' in row && ('is_correct' in row || 'termination_reason' in row),
    fields: (row) => [...EPISODE, ...unused(row, EPISODE)],
  },
  {
    kind: 'rllm-evaluation',
    name: 'rLLM evaluation',
    stage: 'rollouts',
    recognise: (row) => 'idx' in row && 'is_correct' in row && ('signals' in row || 'attempt' in row),
    fields: (row) => [...ITEM, ...unused(row, ITEM)],
  },
  {
    kind: 'rllm-summary',
    name: 'rLLM batch summary',
    stage: 'documents',
    recognise: (row) => asList(row.episode_files) !== null && asRow(row.summary_stats) !== null,
    fields: () => [],
    fileOnly: 'it holds the sums of a batch, no rollouts',
  },
]

export const rllm: System = {
  key: 'rllm',
  forms,
  begin({ draft, ladder }) {
    const taker = new RolloutTaker(draft, ladder)
    return {
      open: (kind, file) => (kind === 'rllm-episodes' ? episodeOf(taker, file.name) : itemOf(taker, file)),
      finish: () => taker.finish(),
    }
  },
}

function episodeOf(taker: RolloutTaker, file: string): Take {
  const step = numberInPath(file, STEP)
  const folder = namedFolder(file, GENERIC) ?? WITHOUT_NAME
  const model = /(?:^|[\\/])val_step_/.test(file) ? 'policy, validated' : 'policy'
  return (row) => {
    const { key, environment, text } = taskOf(row)
    if (key === null) return 'an episode without a task'
    const trajectories = asRows(row.trajectories)
    const first = trajectories.find((trajectory) => asRows(trajectory.steps).length > 0)
    return taker.take({
      environment: environment ?? folder,
      task: key,
      about: { text: text ?? undefined, payload: row.task },
      model,
      version: asCount(row.training_step) ?? step,
      reward: rewardOf(row, trajectories),
      components: componentsOf(trajectories),
      ...standingOf(row, trajectories),
      messages: first === undefined ? [] : conversationOf(first),
      turns: trajectories.reduce((sum, one) => sum + (asCount(one.num_steps) ?? asRows(one.steps).length), 0),
    })
  }
}

function taskOf(row: Row): { key: string | null; environment: string | null; text: string | null } {
  const task = asRow(row.task) ?? {}
  const about = asRow(row.metadata) ?? asRow(row.info) ?? {}
  const question = QUESTION.map((name) => task[name]).find((text) => promptText(text) !== null) ?? row.task
  const told = [row.task_hash, task.uid, task.id].map(asKey).find((key) => key !== null)
  const sources = [task, about].flatMap((one) => SOURCE.flatMap((name) => asText(one[name]) ?? []))
  return {
    key: told ?? promptKey(question) ?? (asRow(row.task) === null ? null : promptKey(JSON.stringify(row.task))),
    environment: sources[0] ?? null,
    text: promptText(question),
  }
}

function itemOf(taker: RolloutTaker, { name, outer }: FileFacts): Take {
  const environment = asText(outer?.dataset_name) ?? stemOf(name)
  const model = asText(outer?.model) ?? 'model'
  return (row) => {
    const task = asKey(row.task_id) ?? asKey(row.idx)
    if (task === null) return 'an item without an idx'
    const error = asText(row.error)
    const status = error === null ? statusOf(asText(row.termination_reason)) : failure(error)
    return taker.take({
      environment,
      task,
      model,
      version: null,
      reward: rewardValue(row.reward) ?? rightOf(row),
      components: partsOf(row.signals),
      status,
      error: error ?? (status === 'ok' ? null : asText(row.termination_reason)),
      turns: null,
    })
  }
}

/** One agent's own reward; of several agents whether the whole was right, since their rewards are for other things. */
function rewardOf(row: Row, trajectories: readonly Row[]): RewardLike {
  const [only] = trajectories
  if (only === undefined) return null
  if (trajectories.length === 1) return rewardValue(only.reward) ?? rightOf(row)
  const known = trajectories.flatMap(({ reward }) => asNumber(reward) ?? [])
  const mean = known.length === 0 ? null : known.reduce((sum, reward) => sum + reward, 0) / known.length
  return rightOf(row) ?? mean
}

function rightOf({ is_correct: right }: Row): number | null {
  return typeof right === 'boolean' ? Number(right) : null
}

function componentsOf(trajectories: readonly Row[]): Part[] | null {
  if (trajectories.length < 2) return null
  return trajectories.map((one, at) => ({
    name: asText(one.name) ?? `agent ${at + 1}`,
    value: finitePart(rewardValue(one.reward)),
  }))
}

function conversationOf(trajectory: Row): Message[] {
  const steps = asRows(trajectory.steps)
  const whole = messagesOf(steps.at(-1)?.chat_completions).map(inChatForm)
  if (whole.length > 0) return whole
  return steps.flatMap((step) => [
    ...messagesOf(textOf(step.observation)),
    ...messagesOf(asText(step.model_response) ?? textOf(step.action), 'assistant'),
  ])
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return asText(value) ?? promptText(value) ?? JSON.stringify(value)
}

function statusOf(reason: string | null): RolloutStatus {
  const word = reason?.toLowerCase() ?? ''
  if (/^max_|exceeded|truncat/.test(word)) return 'truncated'
  if (/grading|verifier/.test(word)) return 'verifier_error'
  return /error|timeout/.test(word) ? 'infra_error' : 'ok'
}

function failure(error: string): RolloutStatus {
  const status = statusOf(error)
  return status === 'verifier_error' ? status : 'infra_error'
}

function standingOf(row: Row, trajectories: readonly Row[]): { status: RolloutStatus; error: string | null } {
  const reason = asText(row.termination_reason)
  const status = statusOf(reason)
  if (trajectories.length === 0 && status === 'ok')
    return { status: 'infra_error', error: reason ?? 'The episode holds no trajectory.' }
  const told = [asRow(row.info)?.error, asRow(row.metadata)?.error].flatMap(
    (error) => asText(error) ?? asText(asRow(error)?.error_message) ?? [],
  )
  return { status, error: status === 'ok' ? null : [reason, ...told].join(': ') }
}
