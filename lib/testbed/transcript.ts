/**
 * A rollout told as a conversation in OpenAI chat form: what a person reads of a trajectory.
 * Owns: the words of system, user, assistant calls and tool answers. Must never know: how the rollout was chosen or sent.
 * Invariant: calls together take less than the rollout; the same task and rollout give the same messages; the called tools are the rollout's, in order. Where the
 * environment broke down the last call has no answer and nobody speaks after it.
 */
import { parameterValue } from '@/lib/testbed/parameter-value'
import type { Rollout } from '@/lib/testbed/rollout'
import type { World, WorldEnvironment, WorldTask } from '@/lib/testbed/world'

export interface ChatToolCall {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
}

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant' | 'tool'
  content: string | null
  tool_calls?: ChatToolCall[]
  tool_call_id?: string
  /** how long the tool took */
  seconds?: number
}

/** Of the rollout's seconds, what its tools take together; the rest is the model's. */
const TOOL_SHARE = 0.8

function argumentsOf(environment: WorldEnvironment, tool: string, task: number, phrase: string): string {
  const parameters = environment.tools.find((candidate) => candidate.name === tool)?.parameters ?? []
  return JSON.stringify(Object.fromEntries(parameters.map((name) => [name, parameterValue(name, task, phrase)])))
}

function answerOf(
  world: World,
  environment: WorldEnvironment,
  task: WorldTask,
  rollout: Rollout,
  turn: number,
): string {
  const local = task.chain[Math.min(turn, task.chain.length - 1)]!
  const goal = world.goals[environment.goals[local]!]!
  const correct = turn < task.chain.length && rollout.actions[turn] === environment.correct[local]
  return correct
    ? JSON.stringify({ ok: true, [goal.object]: world.acts[goal.act]!.done })
    : JSON.stringify({ ok: false, error: `the ${goal.object} is as it was` })
}

function closing(environment: WorldEnvironment, rollout: Rollout, solved: boolean): string | null {
  if (rollout.status === 'truncated' || rollout.status === 'infra_error') return null
  const words = solved ? 'All of it is done.' : 'I could not finish this.'
  return environment.contract !== null && rollout.formatMet === true ? `<final>${words}</final>` : words
}

/** Messages of one rollout of the task at `index` of the world's tasks. */
export function transcriptOf(world: World, index: number, rollout: Rollout): ChatMessage[] {
  const task = world.tasks[index]!
  const environment = world.environments[task.environment]!
  const format = environment.contract === null ? '' : ' Wrap your answer in <final> tags.'
  const tools = environment.tools.map(({ name, description }) => `${name}: ${description}`).join('\n')
  const messages: ChatMessage[] = [
    { role: 'system', content: `You work with the tools of ${environment.name}.${format}\n${tools}` },
    { role: 'user', content: task.text },
  ]
  const paces = rollout.tools.map((_, turn) => 0.7 + 0.15 * ((turn * 7 + index) % 5))
  const each = (TOOL_SHARE * rollout.seconds) / paces.reduce((sum, pace) => sum + pace, 0)
  for (const [turn, tool] of rollout.tools.entries()) {
    const local = task.chain[Math.min(turn, task.chain.length - 1)]!
    const id = `call_${turn + 1}`
    const call = { name: tool, arguments: argumentsOf(environment, tool, index, environment.phrases[local]!) }
    messages.push({ role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: call }] })
    if (rollout.status === 'infra_error' && turn === rollout.tools.length - 1) break
    messages.push({
      role: 'tool',
      tool_call_id: id,
      content: answerOf(world, environment, task, rollout, turn),
      seconds: Math.floor(each * paces[turn]! * 100) / 100,
    })
  }
  const last = task.chain.length - 1
  const solved = rollout.actions.length > last && rollout.actions[last] === environment.correct[task.chain[last]!]
  const end = closing(environment, rollout, solved)
  if (end !== null) messages.push({ role: 'assistant', content: end })
  return messages
}
