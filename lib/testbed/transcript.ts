/**
 * A rollout told as a conversation in OpenAI chat form: what a person reads of a trajectory.
 * Owns: the words of system, user, assistant calls and tool answers. Must never know: how the rollout was chosen or sent.
 * Invariant: the same task and rollout give the same messages; the called tools are the rollout's, in order.
 */
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
}

function argumentsOf(environment: WorldEnvironment, tool: string, turn: number, phrase: string): string {
  const parameters = environment.tools.find((candidate) => candidate.name === tool)?.parameters ?? []
  const value = (name: string) =>
    name.endsWith('_id') || name === 'id' ? `${name[0]!.toUpperCase()}-${1000 + 37 * (turn + name.length)}` : phrase
  return JSON.stringify(Object.fromEntries(parameters.map((name) => [name, value(name)])))
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
  if (rollout.status === 'truncated') return null
  const words = solved ? 'All of it is done.' : 'I could not finish this.'
  return environment.contract !== null && rollout.formatMet === true ? `<final>${words}</final>` : words
}

/** Messages of one rollout of the task at `index` of the world's tasks. */
export function transcriptOf(world: World, index: number, rollout: Rollout): ChatMessage[] {
  const task = world.tasks[index]!
  const environment = world.environments[task.environment]!
  const format = environment.contract === null ? '' : ' Wrap your answer in <final> tags.'
  const messages: ChatMessage[] = [
    { role: 'system', content: `You work with the tools of ${environment.name}.${format}` },
    { role: 'user', content: task.text },
  ]
  for (const [turn, tool] of rollout.tools.entries()) {
    const local = task.chain[Math.min(turn, task.chain.length - 1)]!
    const id = `call_${turn + 1}`
    const call = { name: tool, arguments: argumentsOf(environment, tool, turn, environment.phrases[local]!) }
    messages.push({ role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: call }] })
    messages.push({ role: 'tool', tool_call_id: id, content: answerOf(world, environment, task, rollout, turn) })
  }
  const last = task.chain.length - 1
  const solved = rollout.actions.length > last && rollout.actions[last] === environment.correct[task.chain[last]!]
  const end = closing(environment, rollout, solved)
  if (end !== null) messages.push({ role: 'assistant', content: end })
  return messages
}
