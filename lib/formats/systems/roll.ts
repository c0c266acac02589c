/**
 * ROLL's rollout dumps: one object of columns a step. RLVR rows hold a prompt, a response and a score; agentic rows hold the
 * whole trajectory, its messages and its tools as JSON texts. The environment that ran alone writes its trajectories as files, too.
 * Owns: that an agentic task is its environment's tag and task, or the seed that it was reset with; that a trajectory which
 * stands in two files counts once; which failures lie outside the policy.
 */
import type { RolloutStatus } from '@/lib/contract/rollout'
import { messagesOf } from '@/lib/formats/chat'
import { inChatForm } from '@/lib/formats/chat-form'
import { contentText, promptKey, promptText } from '@/lib/formats/prompt-key'
import { partOf } from '@/lib/formats/reward-parts'
import { rewardValue } from '@/lib/formats/reward-value'
import { RolloutTaker } from '@/lib/formats/rollout-taker'
import { versionOf } from '@/lib/formats/row-version'
import { type Form, type Intake, type System, type Take, unused } from '@/lib/formats/system'
import { parsedText, rowIn, tellTools } from '@/lib/formats/tool-docs'
import { asCount, asKey, asList, asNumber, asRow, asText, asTexts, has, type Row } from '@/lib/formats/untyped'

const RLVR = [
  ['environment', 'domain'],
  ['task', 'id'],
  ['task text', 'prompt'],
  ['policy version', 'global_step'],
  ['reward', 'scores'],
  ['messages', 'messages'],
  ['messages', 'responses'],
] as const

const AGENTIC = [
  ['environment', '(env_info.tag in trajectory_data)'],
  ['task', '(env_info.task_id or seed in trajectory_data)'],
  ['policy version', 'global_step'],
  ['reward', '(reward_info in trajectory_data)'],
  ['status', '(failure_info in trajectory_data)'],
  ['messages', 'messages'],
  ['task tools', 'tools'],
] as const

const forms: readonly Form[] = [
  {
    kind: 'roll-rlvr',
    name: 'ROLL rollout dump',
    stage: 'rollouts',
    recognise: (row) => 'scores' in row && has(row, 'responses', 'global_step') && typeof row.responses === 'string',
    fields: (row) => [...RLVR, ...unused(row, RLVR)],
  },
  {
    kind: 'roll-agentic',
    name: 'ROLL agentic rollout dump',
    stage: 'rollouts',
    recognise: (row) => 'trajectory_data' in row && asList(row.trajectory_data) === null,
    fields: () => AGENTIC,
  },
  {
    kind: 'roll-trajectory',
    name: 'ROLL trajectory',
    stage: 'rollouts',
    recognise: (row) => has(row, 'trajectory_id', 'env_info') && asRow(row.reward_info) !== null,
    fields: () => [
      ['environment', 'env_info.tag'],
      ['task', 'env_info.task_id'],
      ['reward', 'reward_info.episode_score'],
      ['status', 'failure_info.failure_mode'],
      ['messages', 'messages'],
    ],
  },
]

export const roll: System = {
  key: 'roll',
  forms,
  begin(intake) {
    const taker = new RolloutTaker(intake.draft, intake.ladder)
    const seen = new Set<string>()
    const takes: Record<string, Take> = {
      'roll-rlvr': (row) => takeAnswer(taker, row),
      'roll-agentic': (row) => {
        const data = rowIn(row.trajectory_data)
        if (data === null || Object.keys(data).length === 0) return 'a step or placeholder without its trajectory'
        return takeTrajectory(intake, taker, seen, { data, row })
      },
      'roll-trajectory': (row) => takeTrajectory(intake, taker, seen, { data: row, row }),
    }
    return {
      open: (kind) => takes[kind] ?? (() => 'its form is not known'),
      finish: () => taker.finish(),
    }
  },
}

function takeAnswer(taker: RolloutTaker, row: Row): string | null {
  const prompt = parsedText(row.messages) ?? row.prompt
  const key = asKey(row.id) ?? promptKey(prompt) ?? promptKey(row.prompt)
  if (key === null) return 'a rollout without an id or a prompt'
  const environment = asKey(row.domain) ?? asKey(row.tag) ?? asKey(row.source) ?? 'roll'
  return taker.take({
    environment,
    task: key,
    about: {
      text: promptText(prompt) ?? undefined,
      payload: { prompt, ground_truth: row.ground_truth ?? null, tag: row.tag ?? null, source: row.source ?? null },
    },
    model: 'model',
    version: versionOf(row),
    reward: rewardValue(row.scores),
    messages: [...messagesOf(prompt), { role: 'assistant', content: row.responses }],
  })
}

interface Trajectory {
  data: Row
  row: Row
}

function takeTrajectory(
  { draft }: Intake,
  taker: RolloutTaker,
  seen: Set<string>,
  { data, row }: Trajectory,
): string | null {
  const id = asText(data.trajectory_id)
  if (id !== null && seen.has(id)) return 'a trajectory that stands in another file too'
  const env = asRow(data.env_info) ?? {}
  const environment = asKey(env.tag) ?? 'roll'
  const named = [env.task_id, env.task_name].map(asKey).find((key) => key !== null && key !== 'N/A')
  const seed = asKey(env.seed)
  const task = named ?? (seed === null ? null : `seed ${seed}`)
  if (task === null) return 'a trajectory without a task or a seed'
  const messages = messagesOf(parsedText(row.messages) ?? data.messages).map(inChatForm)
  tellTools(draft, environment, row.tools)
  const reward = asRow(data.reward_info) ?? {}
  const failure = asRow(data.failure_info) ?? {}
  const length = asRow(data.length_info) ?? {}
  const success = Object.entries(asRow(data.metrics) ?? {}).find(([name]) => name.endsWith('/success'))
  const status = statusOf(failure, length)
  const taken = taker.take({
    environment,
    task,
    about: { text: firstWords(messages) },
    model: asKey(row.exp_name) ?? 'model',
    version: versionOf(row) ?? asCount(data.current_step) ?? asCount(data.currect_step),
    reward: rewardValue(reward.episode_reward ?? reward.episode_score),
    components: success === undefined ? null : [partOf('success', success[1])],
    status,
    error: status === 'ok' ? null : whyOf(failure),
    messages,
    tokens: asCount(length.total_tokens),
    seconds: asNumber(asRow(data.timing_info)?.env_instance_duration_seconds),
  })
  if (taken === null && id !== null) seen.add(id)
  return taken
}

function firstWords(messages: readonly Row[]): string | undefined {
  return contentText(messages.find((message) => message.role === 'user')?.content) ?? undefined
}

const OUTSIDE = /sandbox|install|image|session|exception|unknown|reset|inference/i
const VERIFIER = /test_timeout|^parse_error|verifier|test_sess/i
const CUT = /agent_timeout|max|length|truncat/i

function statusOf(failure: Row, length: Row): RolloutStatus {
  const mode = asText(failure.failure_mode) ?? ''
  if (mode !== '' && !/^(?:none|unset)$/i.test(mode)) {
    if (VERIFIER.test(mode)) return 'verifier_error'
    if (CUT.test(mode)) return 'truncated'
    if (OUTSIDE.test(mode)) return 'infra_error'
  }
  return length.truncated === true || CUT.test(asText(failure.stop_reason) ?? '') ? 'truncated' : 'ok'
}

function whyOf(failure: Row): string | null {
  const words = [asText(failure.failure_mode), asText(failure.stop_reason), ...asTexts(failure.error_messages)]
  return asText(words.filter((word) => word !== null).join('\n'))
}
