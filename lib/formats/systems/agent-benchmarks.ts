/**
 * Results of smaller agent benchmarks that people have lying about: MINT, InterCode and SWE-bench-Pro. Reflexion's trials need each
 * other and have a file of their own. Owns: where each keeps environment, task, reward and conversation.
 */
import { type Message, messagesOf } from '@/lib/formats/chat'
import { errorStatus } from '@/lib/formats/error-status'
import { placeOf, stemOf } from '@/lib/formats/file-place'
import { rewardValue } from '@/lib/formats/reward-value'
import { RolloutTaker } from '@/lib/formats/rollout-taker'
import { type Form, type System, unused } from '@/lib/formats/system'
import { addTurnHistory, isTurnHistory } from '@/lib/formats/turn-history'
import { asCount, asKey, asList, asRow, asText, type Row } from '@/lib/formats/untyped'

const MINT = [
  ['environment', 'task.task_name'],
  ['task', 'task.task_id'],
  ['model', '(the name of the file)'],
  ['reward', 'state.success'],
  ['status', 'state.error'],
  ['task text', 'task.prompt'],
  ['messages', 'state.history'],
  ['tools called', 'state.agent_action_count'],
  ['tokens', 'state.token_counter.total_tokens'],
] as const

const INTERCODE = [
  ['environment', '0.environment'],
  ['task', '0.task_id'],
  ['model', '(the name of the file)'],
  ['reward', '0.summary.max_reward'],
  ['task text', '0.query'],
  ['messages', '0.turn_history'],
] as const

const SWEBENCH = [
  ['environment', '(the repository in each name)'],
  ['task', '(each name)'],
  ['model', '(the name of the file)'],
  ['reward', '(each value)'],
] as const

const INSTANCE = /^instance_(.+?)__(.+?)-[0-9a-f]{40}(?:-v\w+)?$/

const forms: readonly Form[] = [
  {
    kind: 'mint',
    name: 'MINT results',
    stage: 'rollouts',
    recognise: (row) => asList(asRow(row.state)?.history) !== null && 'task_id' in (asRow(row.task) ?? {}),
    fields: (row) => [...MINT, ...unused(row, MINT)],
  },
  {
    kind: 'intercode',
    name: 'InterCode results',
    stage: 'rollouts',
    recognise: (row) =>
      Object.values(row).length > 0 && Object.values(row).every((value) => isTurnHistory(asRow(value))),
    fields: () => INTERCODE,
  },
  {
    kind: 'swebench-pro',
    name: 'SWE-bench-Pro results',
    stage: 'rollouts',
    recognise(row) {
      const entries = Object.entries(row)
      return entries.length > 0 && entries.every(([key, value]) => INSTANCE.test(key) && isVerdict(value))
    },
    fields: () => SWEBENCH,
  },
]

function isVerdict(value: unknown): boolean {
  return typeof value === 'boolean' || value === null
}

export const agentBenchmarks: System = {
  key: 'agent-benchmarks',
  forms,
  begin({ draft, ladder, skip }) {
    const taker = new RolloutTaker(draft, ladder)
    return {
      open(kind, { name }) {
        const model = modelOf(name)
        if (kind === 'mint') return (row) => addMint(taker, row, model)
        return (row, line) => {
          for (const [key, value] of Object.entries(row)) {
            const reason =
              kind === 'intercode'
                ? addTurnHistory(taker, asRow(value) ?? {}, model)
                : addVerdict(taker, key, value, model)
            if (reason !== null) skip(name, reason, line)
          }
          return null
        }
      },
      finish: () => taker.finish(),
    }
  },
}

function modelOf(name: string): string {
  const stem = stemOf(name).replace(/[._]?(?:eval_)?results?$/i, '')
  return stem === '' || stem === 'output' ? placeOf(name) : stem
}

function addMint(taker: RolloutTaker, row: Row, model: string): string | null {
  const task = asRow(row.task) ?? {}
  const state = asRow(row.state) ?? {}
  const key = asKey(task.task_id)
  const environment = asText(task.task_name)
  if (key === null || environment === null) return 'a row without a task_name and a task_id'
  const error = asText(state.error)
  const end = asText(state.terminate_reason)
  const outside = error !== null && errorStatus(error) !== 'truncated'
  const messages: Message[] = messagesOf(state.history)
  return taker.take({
    environment,
    task: key,
    about: { text: asText(task.prompt) ?? undefined },
    model,
    version: null,
    reward: rewardValue(state.success),
    status: outside ? 'infra_error' : end === 'max_steps' ? 'truncated' : 'ok',
    error: error ?? (end === 'max_steps' ? end : null),
    messages,
    calls: actionsOf(asRow(state.agent_action_count) ?? {}),
    tokens: asCount(asRow(state.token_counter)?.total_tokens),
  })
}

/** Each kind of action as often as it was taken; one that was no action counts for nothing. */
function actionsOf(counts: Row) {
  return ['use_tool', 'propose_solution'].flatMap((name) =>
    Array.from({ length: Math.min(asCount(counts[name]) ?? 0, 1000) }, () => ({ name, parameters: [] })),
  )
}

function addVerdict(taker: RolloutTaker, key: string, value: unknown, model: string): string | null {
  const [, owner, repository] = INSTANCE.exec(key) ?? []
  if (owner === undefined || repository === undefined || !isVerdict(value)) return 'a name that is no instance'
  return taker.take({
    environment: `${owner}/${repository}`,
    task: key,
    verifier: { kind: 'tests' },
    model,
    version: null,
    reward: rewardValue(value),
    turns: null,
  })
}
